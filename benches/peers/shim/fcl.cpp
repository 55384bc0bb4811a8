// FCL: trees of oriented boxes for contacts, of oriented boxes with rectangle-swept spheres for distances, in 64 bits.
// Of the kinds of tree that it has, these are the fastest for either question.

#include "peer.h"

#include <fcl/fcl.h>

#include <limits>
#include <memory>
#include <utility>
#include <vector>



struct PeerModel {
  std::unique_ptr<fcl::CollisionGeometryd> geometry;
  uint64_t bytes = 0;
};

namespace {

template <typename Box>
bool fill(PeerModel &model, const std::vector<fcl::Vector3d> &points,
          const std::vector<fcl::Triangle> &triangles) {
  using Tree = fcl::BVHModel<Box>;
  auto tree = std::make_unique<Tree>();
  if (tree->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size())) != fcl::BVH_OK ||
      tree->addSubModel(points, triangles) != fcl::BVH_OK || tree->endModel() != fcl::BVH_OK) {
    return false;
  }
  // Its own memUsage returns a status instead of a size.
  model.bytes = sizeof(Tree) + sizeof(fcl::BVNode<Box>) * static_cast<uint64_t>(tree->getNumBVs()) +
                (sizeof(fcl::Triangle) + sizeof(unsigned int)) * triangles.size() +
                sizeof(fcl::Vector3d) * points.size();
  model.geometry = std::move(tree);
  return true;
}

fcl::Transform3d transform(const double *pose) {
  fcl::Transform3d placed = fcl::Transform3d::Identity();
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) placed.linear()(row, column) = pose[3 * row + column];
    placed.translation()(row) = pose[9 + row];
  }
  return placed;
}

} // namespace

extern "C" {

int32_t peer_interface() { return PEER_INTERFACE; }

const char *peer_version() { return FCL_VERSION; }

int32_t peer_needs_distance_model() { return 1; }

PeerModel *peer_build(const double *vertices, uint64_t vertex_count, const uint32_t *triangles,
                      uint64_t triangle_count, int32_t purpose) {
  try {
    std::vector<fcl::Vector3d> points;
    points.reserve(vertex_count);
    for (uint64_t v = 0; v < vertex_count; ++v) points.emplace_back(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]);
    std::vector<fcl::Triangle> corners;
    corners.reserve(triangle_count);
    for (uint64_t t = 0; t < triangle_count; ++t) corners.emplace_back(triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]);
    auto model = std::make_unique<PeerModel>();
    const bool made = purpose == PEER_FOR_DISTANCE ? fill<fcl::OBBRSSd>(*model, points, corners)
                                                   : fill<fcl::OBBd>(*model, points, corners);
    return made ? model.release() : nullptr;
  } catch (...) {
    return nullptr;
  }
}

void peer_free(PeerModel *model) { delete model; }

uint64_t peer_bytes(const PeerModel *model) { return model->bytes; }

// `plain` changes nothing: one contact, no contact points and no cost are its defaults.
int64_t peer_collide(const PeerModel *a, const PeerModel *b, const double *pose, uint64_t most,
                     int32_t, uint32_t *pairs, uint64_t capacity) {
  try {
    static thread_local fcl::CollisionResultd result;
    result.clear();
    const fcl::CollisionRequestd request(most, false);
    fcl::collide(a->geometry.get(), fcl::Transform3d::Identity(), b->geometry.get(), transform(pose), request, result);
    const uint64_t found = result.numContacts();
    for (uint64_t k = 0; pairs != nullptr && k < found && k < capacity; ++k) {
      const auto &contact = result.getContact(k);
      pairs[2 * k] = static_cast<uint32_t>(contact.b1);
      pairs[2 * k + 1] = static_cast<uint32_t>(contact.b2);
    }
    return static_cast<int64_t>(found);
  } catch (...) {
    return -1;
  }
}

double peer_distance(const PeerModel *a, const PeerModel *b, const double *pose) {
  try {
    static thread_local fcl::DistanceResultd result;
    result.clear();
    const fcl::DistanceRequestd request;
    return fcl::distance(a->geometry.get(), fcl::Transform3d::Identity(), b->geometry.get(), transform(pose), request, result);
  } catch (...) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}
}
