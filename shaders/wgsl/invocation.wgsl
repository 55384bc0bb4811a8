// Workgroups along x; a dispatch of more has several rows. Every device allows this many.
const GROUPS_IN_A_ROW: u32 = 65535u;

// The number of an invocation over all rows of a counted dispatch; `size` invocations in a group.
fn invocation(group: vec3<u32>, local: u32, size: u32) -> u32 {
    return (group.y * GROUPS_IN_A_ROW + group.x) * size + local;
}
