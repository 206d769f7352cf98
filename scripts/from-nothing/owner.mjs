import { spawnSync } from 'node:child_process'

const OWNER = { name: 'node:node', uid: 1000, gid: 1000 }

/** Whether processes may run as the user of the base image here: for root alone, and where Node is not in a folder of root's. */
const hasOwner =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['--version'], { uid: OWNER.uid, gid: OWNER.gid }).status === 0

/** Of a process of an image, by its last `USER`. */
export const idsOf = (user) =>
  hasOwner && user === 'node' ? { uid: OWNER.uid, gid: OWNER.gid } : {}

/** Gives that user a folder with all in it. */
export function own(path) {
  if (hasOwner) spawnSync('chown', ['-R', `${OWNER.uid}:${OWNER.gid}`, path])
}

/** A shell command with that user's number in place of its name, which this machine does not have. */
export const withNumbers = (text) =>
  text.replaceAll(`chown ${OWNER.name}`, hasOwner ? `chown ${OWNER.uid}:${OWNER.gid}` : ': chown')
