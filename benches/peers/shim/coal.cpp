// Coal: trees as of FCL, of oriented boxes for contacts, of oriented boxes with rectangle-swept spheres for distances,
// in 64 bits.

#include "peer.h"

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/config.hh>
#include <coal/distance.h>

#include <limits>
#include <memory>
#include <utility>
#include <vector>

struct PeerModel {
  std::unique_ptr<coal::CollisionGeometry> geometry;
  uint64_t bytes = 0;
};

namespace {

template <typename Box>
bool fill(PeerModel &model, const std::vector<coal::Vec3s> &points, const std::vector<coal::Triangle> &triangles) {
  using Tree = coal::BVHModel<Box>;
  auto tree = std::make_unique<Tree>();
  if (tree->beginModel(static_cast<unsigned int>(triangles.size()), static_cast<unsigned int>(points.size())) != coal::BVH_OK ||
      tree->addSubModel(points, triangles) != coal::BVH_OK || tree->endModel() != coal::BVH_OK) {
    return false;
  }
  // Its own memUsage returns a status instead of a size.
  model.bytes = sizeof(Tree) + sizeof(coal::BVNode<Box>) * tree->getNumBVs() +
                (sizeof(coal::Triangle) + sizeof(unsigned int)) * triangles.size() + sizeof(coal::Vec3s) * points.size();
  model.geometry = std::move(tree);
  return true;
}

coal::Transform3s transform(const double *pose) {
  coal::Matrix3s rotation;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) rotation(row, column) = pose[3 * row + column];
  }
  return coal::Transform3s(rotation, coal::Vec3s(pose[9], pose[10], pose[11]));
}

} // namespace

extern "C" {

int32_t peer_interface() { return PEER_INTERFACE; }

const char *peer_version() { return COAL_VERSION; }

int32_t peer_needs_distance_model() { return 1; }

PeerModel *peer_build(const double *vertices, uint64_t vertex_count, const uint32_t *triangles,
                      uint64_t triangle_count, int32_t purpose) {
  try {
    std::vector<coal::Vec3s> points;
    points.reserve(vertex_count);
    for (uint64_t v = 0; v < vertex_count; ++v) points.emplace_back(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]);
    std::vector<coal::Triangle> corners;
    corners.reserve(triangle_count);
    for (uint64_t t = 0; t < triangle_count; ++t) corners.emplace_back(triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]);
    auto model = std::make_unique<PeerModel>();
    const bool made = purpose == PEER_FOR_DISTANCE ? fill<coal::OBBRSS>(*model, points, corners)
                                                   : fill<coal::OBB>(*model, points, corners);
    return made ? model.release() : nullptr;
  } catch (...) {
    return nullptr;
  }
}

void peer_free(PeerModel *model) { delete model; }

uint64_t peer_bytes(const PeerModel *model) { return model->bytes; }

// By default Coal descends below boxes that are nearer than 1e-3 in the mesh's unit, to tell a lower bound of
// the distance; an expert who wants a verdict sets that to 0.
int64_t peer_collide(const PeerModel *a, const PeerModel *b, const double *pose, uint64_t most,
                     int32_t plain, uint32_t *pairs, uint64_t capacity) {
  try {
    static thread_local coal::CollisionResult result;
    result.clear();
    coal::CollisionRequest request(coal::NO_REQUEST, most);
    if (plain == 0) request.break_distance = 0;
    coal::collide(a->geometry.get(), coal::Transform3s(), b->geometry.get(), transform(pose), request, result);
    const uint64_t found = result.numContacts();
    for (uint64_t k = 0; pairs != nullptr && k < found && k < capacity; ++k) {
      const coal::Contact &contact = result.getContact(k);
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
    static thread_local coal::DistanceResult result;
    result.clear();
    const coal::DistanceRequest request(false, false);
    return coal::distance(a->geometry.get(), coal::Transform3s(), b->geometry.get(), transform(pose), request, result);
  } catch (...) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

// Its broad phases are those of FCL, from which it was made, and are not measured.
PeerBoxes *peer_boxes_build(const double *, uint64_t, int32_t) { return nullptr; }

void peer_boxes_free(PeerBoxes *) {}

int32_t peer_boxes_move(PeerBoxes *, const double *, const uint32_t *, uint64_t, int32_t) { return -1; }

int64_t peer_boxes_pairs(const PeerBoxes *, uint32_t *, uint64_t) { return -1; }
}
