// A library that does what it is told, so that the way to real ones can be tested where there are none. Its answers
// tell what it was given.

#include "../../shim/peer.h"

#include <cmath>
#include <limits>
#include <vector>

struct PeerModel {
  uint64_t vertices, triangles;
  double last;
  int32_t purpose;
};

struct PeerBoxes {
  std::vector<double> corners;
  bool is_tree;
};

extern "C" {

int32_t peer_interface() { return PEER_INTERFACE; }

const char *peer_version() { return "of paper"; }

int32_t peer_needs_distance_model() { return 1; }

// Refuses meshes of one triangle.
PeerModel *peer_build(const double *vertices, uint64_t vertex_count, const uint32_t *triangles,
                      uint64_t triangle_count, int32_t purpose) {
  if (triangle_count == 1) return nullptr;
  const uint32_t corner = triangles[3 * triangle_count - 1];
  return new PeerModel{vertex_count, triangle_count, vertices[3 * corner + 2], purpose};
}

void peer_free(PeerModel *model) { delete model; }

uint64_t peer_bytes(const PeerModel *model) { return 1000 * model->vertices + model->triangles; }

// Falling pairs (n - 1, 0), (n - 2, 0), ... with n the rounded x of the translation, one more if options are plain, and
// two more of models for distances; -1 if x is negative.
int64_t peer_collide(const PeerModel *a, const PeerModel *, const double *pose, uint64_t most,
                     int32_t plain, uint32_t *pairs, uint64_t capacity) {
  if (pose[9] < 0) return -1;
  uint64_t found = static_cast<uint64_t>(pose[9]) + (plain != 0 ? 1 : 0) + (a->purpose == PEER_FOR_DISTANCE ? 2 : 0);
  if (found > most) found = most;
  for (uint64_t k = 0; pairs != nullptr && k < found && k < capacity; ++k) {
    pairs[2 * k] = static_cast<uint32_t>(found - 1 - k);
    pairs[2 * k + 1] = 0;
  }
  return static_cast<int64_t>(found);
}

// 10 times the first row's second entry, plus z; what A's last corner adds shows which model came first. Not a number
// if x is negative.
double peer_distance(const PeerModel *a, const PeerModel *b, const double *pose) {
  if (pose[9] < 0 || a->purpose != PEER_FOR_DISTANCE || b->purpose != PEER_FOR_DISTANCE) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return 10 * pose[1] + pose[11] + 100 * a->last + 1000 * b->last;
}

// Refuses a single box.
PeerBoxes *peer_boxes_build(const double *corners, uint64_t count, int32_t broad_phase) {
  if (count == 1) return nullptr;
  return new PeerBoxes{std::vector<double>(corners, corners + 6 * count), broad_phase == PEER_BOXES_TREE};
}

void peer_boxes_free(PeerBoxes *boxes) { delete boxes; }

// Refuses to move a box of a tree by more than a tenth in place, unless it is among those that jumped.
int32_t peer_boxes_move(PeerBoxes *boxes, const double *corners, const uint32_t *jumped,
                        uint64_t jumped_count, int32_t anew) {
  uint64_t next = 0;
  for (uint64_t k = 0; k < boxes->corners.size(); ++k) {
    while (next < jumped_count && 6 * jumped[next] + 5 < k) ++next;
    const bool far = std::abs(corners[k] - boxes->corners[k]) > 0.1;
    const bool may = anew == 1 || !boxes->is_tree || (next < jumped_count && jumped[next] == k / 6);
    if (far && !may) return -1;
    boxes->corners[k] = corners[k];
  }
  return 0;
}

int64_t peer_boxes_pairs(const PeerBoxes *boxes, uint32_t *pairs, uint64_t capacity) {
  const uint64_t count = boxes->corners.size() / 6;
  uint64_t found = 0;
  for (uint64_t b = 1; b < count; ++b) {
    for (uint64_t a = 0; a < b; ++a) {
      const double *p = &boxes->corners[6 * a], *q = &boxes->corners[6 * b];
      if (p[0] > q[3] || p[1] > q[4] || p[2] > q[5] || q[0] > p[3] || q[1] > p[4] || q[2] > p[5]) continue;
      if (found < capacity) {
        pairs[2 * found] = static_cast<uint32_t>(a);
        pairs[2 * found + 1] = static_cast<uint32_t>(b);
      }
      ++found;
    }
  }
  return static_cast<int64_t>(found);
}
}
