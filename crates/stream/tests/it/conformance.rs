//! The battery for the certified streaming methods.

impinge_testkit::conformance!(stream_basic, impinge_stream::stream_basic());
impinge_testkit::conformance!(stream_tree, impinge_stream::stream_tree());
impinge_testkit::conformance!(stream_shrink, impinge_stream::stream_shrink());
impinge_testkit::conformance!(stream_pairs, impinge_stream::stream_pairs());
