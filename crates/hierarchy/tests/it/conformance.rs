//! The battery for the tree methods.

impinge_testkit::conformance!(obbtree, impinge_hierarchy::obbtree());
impinge_testkit::conformance!(sphere_aabb, impinge_hierarchy::sphere_aabb());
impinge_testkit::conformance!(aabb_obb, impinge_hierarchy::aabb_obb());
impinge_testkit::conformance!(
    sphere_aabb_updated,
    impinge_hierarchy::methods::sphere_aabb_updated()
);
impinge_testkit::conformance!(aabb_obb_updated, impinge_hierarchy::methods::aabb_obb_updated());
impinge_testkit::conformance!(three_layer, impinge_hierarchy::three_layer());
impinge_testkit::conformance!(aabb_refit, impinge_hierarchy::aabb_refit());
impinge_testkit::conformance!(reduced_axes, impinge_hierarchy::reduced_axes());
impinge_testkit::conformance!(kdop, impinge_hierarchy::kdop());
impinge_testkit::conformance!(sphere, impinge_hierarchy::sphere());
impinge_testkit::conformance!(swept_sphere, impinge_hierarchy::swept_sphere());
impinge_testkit::conformance!(edge_nodes, impinge_hierarchy::methods::edge_nodes());
impinge_testkit::conformance!(leaf, impinge_hierarchy::methods::leaf());
