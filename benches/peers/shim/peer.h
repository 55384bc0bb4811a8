// What a shim offers: one mesh made ready, two meshes asked, and boxes that move, behind C names that
// benches/peers/src/native/library.rs looks up. Change INTERFACE there and here with any signature.
#ifndef IMPINGE_PEER_H
#define IMPINGE_PEER_H

#include <cstdint>

#define PEER_INTERFACE 2

// What a model is for: a library may have one kind of tree for contacts, of oriented boxes, and another for
// distances, of oriented boxes with rectangle-swept spheres. Contacts may be asked of either.
#define PEER_FOR_CONTACTS 0
#define PEER_FOR_DISTANCE 1

// Broad phases of a library. They are those of FCL: a dynamic tree, the same in an array, sweep and
// prune with kept pairs on three axes, a sweep over the sorted boxes of one axis, interval trees, and a
// grid of hashed cells.
#define PEER_BOXES_TREE 0
#define PEER_BOXES_ARRAY 1
#define PEER_BOXES_SAP 2
#define PEER_BOXES_SSAP 3
#define PEER_BOXES_INTERVALS 4
#define PEER_BOXES_HASH 5

extern "C" {

// A model may be used and freed on another thread than the one that built it, and calls that take
// const models may run at the same time.
struct PeerModel;

// PEER_INTERFACE.
int32_t peer_interface();

// The library's version, as it says itself; static text.
const char *peer_version();

// Whether distances need a model of their own (1), or the one for contacts serves (0).
int32_t peer_needs_distance_model();

// Vertices are x, y, z; triangles are indices below vertex_count, which nobody checks again. Null
// if the library refuses.
PeerModel *peer_build(const double *vertices, uint64_t vertex_count, const uint32_t *triangles,
                      uint64_t triangle_count, int32_t purpose);

void peer_free(PeerModel *model);

// Bytes of the library's arrays, the mesh's among them.
uint64_t peer_bytes(const PeerModel *model);

// How many pairs of triangles meet, counted up to most; -1 if the library throws. B is placed in
// A's frame by pose: a rotation row by row, then a translation. Up to capacity pairs (A's triangle,
// B's) go to pairs, unless that is null. If plain is 1, the library's own options are left as they are by
// default; if 0, they are those that an expert sets.
int64_t peer_collide(const PeerModel *a, const PeerModel *b, const double *pose, uint64_t most,
                     int32_t plain, uint32_t *pairs, uint64_t capacity);

// The distance, or not a number if the library throws. Both models are for distances.
double peer_distance(const PeerModel *a, const PeerModel *b, const double *pose);

// Boxes that move, in a broad phase of the library.
struct PeerBoxes;

// A box is six numbers: its least corner, then its largest. Null if the library does not have this
// broad phase, or throws.
PeerBoxes *peer_boxes_build(const double *corners, uint64_t count, int32_t broad_phase);

void peer_boxes_free(PeerBoxes *boxes);

// Moves all boxes; there are as many corners as before. If anew is 1, the broad phase is emptied and
// filled again. If 0, it is updated in place in the library's fastest right way; it may use that no
// boxes but the jumped ones, given by ascending index, have moved far. 0, or -1 if the library throws.
int32_t peer_boxes_move(PeerBoxes *boxes, const double *corners, const uint32_t *jumped,
                        uint64_t jumped_count, int32_t anew);

// How many pairs of boxes overlap; -1 if the library throws. Up to capacity pairs, each with its lower
// index first, go to pairs.
int64_t peer_boxes_pairs(const PeerBoxes *boxes, uint32_t *pairs, uint64_t capacity);
}

#endif
