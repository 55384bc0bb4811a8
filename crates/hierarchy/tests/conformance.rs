//! The battery for the tree methods.

impinge_testkit::conformance!(obbtree, impinge_hierarchy::obbtree());
