// FCL: trees of oriented boxes for contacts, of oriented boxes with rectangle-swept spheres for distances, in 64 bits.
// Of the kinds of tree that it has, these are the fastest for either question. Broad phases: all of its managers but brute force.

#include "peer.h"

#include <fcl/fcl.h>

#include <algorithm>
#include <cmath>
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

// Hashed cells of two mean edges, in a table with ten places a box: of cells from 0.75 to 3 mean edges and tables from
// 0.1 to 10 places a box, among the fastest where they were tried.
std::unique_ptr<fcl::BroadPhaseCollisionManagerd> hashed(const double *corners, uint64_t count) {
  fcl::AABBd scene;
  double edges = 0;
  for (uint64_t i = 0; i < count; ++i, corners += 6) {
    const fcl::Vector3d low(corners[0], corners[1], corners[2]), high(corners[3], corners[4], corners[5]);
    scene += fcl::AABBd(low, high);
    edges += (high - low).mean();
  }
  const auto places = static_cast<unsigned int>(std::min<uint64_t>(10 * count, 1u << 28));
  const double cell = 2 * edges / static_cast<double>(count);
  return std::make_unique<fcl::SpatialHashingCollisionManagerd<>>(cell, scene.min_, scene.max_, places);
}

std::unique_ptr<fcl::BroadPhaseCollisionManagerd> manager(int32_t broad_phase, const double *corners, uint64_t count) {
  switch (broad_phase) {
  case PEER_BOXES_TREE: return std::make_unique<fcl::DynamicAABBTreeCollisionManagerd>();
  case PEER_BOXES_ARRAY: return std::make_unique<fcl::DynamicAABBTreeCollisionManager_Arrayd>();
  case PEER_BOXES_SAP: return std::make_unique<fcl::SaPCollisionManagerd>();
  case PEER_BOXES_SSAP: return std::make_unique<fcl::SSaPCollisionManagerd>();
  case PEER_BOXES_INTERVALS: return std::make_unique<fcl::IntervalTreeCollisionManagerd>();
  case PEER_BOXES_HASH: return hashed(corners, count);
  default: return nullptr;
  }
}

// Pairs found so far; as many as fit are written down.
struct Found {
  uint32_t *pairs;
  uint64_t capacity, count;
};

bool write_down(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *to) {
  Found &found = *static_cast<Found *>(to);
  if (found.count < found.capacity) {
    const auto i = reinterpret_cast<uintptr_t>(a->getUserData()), j = reinterpret_cast<uintptr_t>(b->getUserData());
    found.pairs[2 * found.count] = static_cast<uint32_t>(std::min(i, j));
    found.pairs[2 * found.count + 1] = static_cast<uint32_t>(std::max(i, j));
  }
  ++found.count;
  return false;
}

// For the manager with hashed cells, which names all pairs that share a cell.
bool write_down_if_met(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *to) {
  return a->getAABB().overlap(b->getAABB()) && write_down(a, b, to);
}

// SaP loses a pair whose boxes come to touch in exactly one coordinate, since it compares ends with `<`. So ends are
// moved outward by 2^-26 of themselves: different 32-bit numbers differ by 2^-24 of the larger or more, so those ends
// stay in order, equal ends come to overlap, and the pairs are the same.
void widen(fcl::AABBd &box) {
  for (int axis = 0; axis < 3; ++axis) {
    box.min_[axis] -= std::abs(box.min_[axis]) * 0x1p-26 + 1e-300;
    box.max_[axis] += std::abs(box.max_[axis]) * 0x1p-26 + 1e-300;
  }
}

// Whether both ends of a box move in one direction on each axis.
bool moves_alike(const fcl::AABBd &before, const fcl::AABBd &after) {
  const auto sign = [](double x) { return (x > 0) - (x < 0); };
  for (int axis = 0; axis < 3; ++axis) {
    if (sign(after.min_[axis] - before.min_[axis]) != sign(after.max_[axis] - before.max_[axis])) return false;
  }
  return true;
}

} // namespace

// The pose of an object is the identity; its geometry has the box, so that no sum rounds it.
struct PeerBoxes {
  std::vector<std::shared_ptr<fcl::Boxd>> shapes;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> owned;
  std::vector<fcl::CollisionObjectd *> objects, again;
  std::unique_ptr<fcl::BroadPhaseCollisionManagerd> manager;
  int32_t broad_phase = 0;

  fcl::AABBd box(const double *corners) const {
    fcl::AABBd box;
    box.min_ = fcl::Vector3d(corners[0], corners[1], corners[2]);
    box.max_ = fcl::Vector3d(corners[3], corners[4], corners[5]);
    if (broad_phase == PEER_BOXES_SAP) widen(box);
    return box;
  }

  void place(const double *corners) {
    for (size_t i = 0; i < objects.size(); ++i, corners += 6) {
      shapes[i]->aabb_local = box(corners);
      objects[i]->computeAABB();
    }
  }

  void fill() {
    manager->clear();
    manager->registerObjects(objects);
    manager->setup();
  }

  // Whether the manager can be updated in place. The array of a tree cannot: when it is balanced from the top, its
  // leaves get other places than those the manager knows, and pairs are named wrongly. SaP cannot if an end of a box
  // moves and the other stays where it was, which rounding does: its list of ends becomes a circle, and the update does
  // not return. To take single objects out and in again is no way, since SaP then deletes another one.
  bool can_update(const double *corners) const {
    if (broad_phase == PEER_BOXES_ARRAY) return false;
    if (broad_phase != PEER_BOXES_SAP) return true;
    for (const fcl::CollisionObjectd *object : objects) {
      if (!moves_alike(object->getAABB(), box(corners))) return false;
      corners += 6;
    }
    return true;
  }

  // Boxes that jumped are inserted into a tree again, the others moved in place.
  void update(const uint32_t *jumped, uint64_t jumped_count) {
    if (broad_phase == PEER_BOXES_TREE && jumped_count > 0) {
      again.clear();
      for (uint64_t k = 0; k < jumped_count; ++k) again.push_back(objects[jumped[k]]);
      manager->update(again);
    }
    manager->update();
  }
};

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

PeerBoxes *peer_boxes_build(const double *corners, uint64_t count, int32_t broad_phase) {
  try {
    auto boxes = std::make_unique<PeerBoxes>();
    boxes->manager = manager(broad_phase, corners, count);
    if (boxes->manager == nullptr) return nullptr;
    boxes->broad_phase = broad_phase;
    for (uint64_t i = 0; i < count; ++i) {
      boxes->shapes.push_back(std::make_shared<fcl::Boxd>(1.0, 1.0, 1.0));
      boxes->owned.push_back(std::make_unique<fcl::CollisionObjectd>(boxes->shapes.back()));
      boxes->objects.push_back(boxes->owned.back().get());
      boxes->objects.back()->setUserData(reinterpret_cast<void *>(static_cast<uintptr_t>(i)));
    }
    boxes->place(corners);
    boxes->fill();
    return boxes.release();
  } catch (...) {
    return nullptr;
  }
}

void peer_boxes_free(PeerBoxes *boxes) { delete boxes; }

int32_t peer_boxes_move(PeerBoxes *boxes, const double *corners, const uint32_t *jumped,
                        uint64_t jumped_count, int32_t anew) {
  try {
    const bool in_place = anew == 0 && boxes->can_update(corners);
    boxes->place(corners);
    if (in_place) {
      boxes->update(jumped, jumped_count);
    } else {
      boxes->fill();
    }
    return 0;
  } catch (...) {
    return -1;
  }
}

int64_t peer_boxes_pairs(const PeerBoxes *boxes, uint32_t *pairs, uint64_t capacity) {
  try {
    Found found{pairs, capacity, 0};
    boxes->manager->collide(&found, boxes->broad_phase == PEER_BOXES_HASH ? write_down_if_met : write_down);
    return static_cast<int64_t>(found.count);
  } catch (...) {
    return -1;
  }
}
}
