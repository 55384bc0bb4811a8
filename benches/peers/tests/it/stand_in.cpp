// A library that does what it is told, so that the way to real ones can be tested where there are none. Its answers
// tell what it was given.

#include "../../shim/peer.h"

#include <limits>

struct PeerModel {
  uint64_t vertices, triangles;
  double last;
  int32_t purpose;
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

// Falling pairs (n - 1, 0), (n - 2, 0), ... with n the rounded x of the translation, and one more if options are plain; -1
// if x is negative.
int64_t peer_collide(const PeerModel *, const PeerModel *, const double *pose, uint64_t most,
                     int32_t plain, uint32_t *pairs, uint64_t capacity) {
  if (pose[9] < 0) return -1;
  uint64_t found = static_cast<uint64_t>(pose[9]) + (plain != 0 ? 1 : 0);
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
}
