/**
 * PGlite asks nothing of the disk: it starts PostgreSQL with `-F`, and its file system has no fsync. With these options
 * PostgreSQL itself decides what must be on the disk before it goes on, as it does elsewhere: its log at each commit,
 * tables at checkpoints, folders when files are renamed.
 */
import { closeSync, fsyncSync, openSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/**
 * Options of `PGlite.create` instead of `dataDir`. `sync` waits until the disk has all of an open file or folder.
 *
 * @param {string} folder
 * @param {(descriptor: number) => void} [sync]
 */
export function durableOptions(folder, sync = fsyncSync) {
  return {
    fs: new DurableFiles(folder, sync),
    startParams: [
      ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
      ...['-c', 'fsync=on', '-c', 'synchronous_commit=on', '-c', 'wal_sync_method=fsync'],
    ],
  }
}

class DurableFiles extends NodeFS {
  constructor(folder, sync) {
    super(folder)
    this.sync = sync
  }

  async init(database, options) {
    const { emscriptenOpts } = await super.init(database, options)
    const addSync = ({ NODEFS }) => {
      NODEFS.stream_ops.fsync = ({ nfd }) => NODEFS.tryFSOperation(() => this.sync(nfd))
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...emscriptenOpts.preRun, addSync] } }
  }
}

/** What was written without `durableOptions`, by `initdb` too: waits until the disk has it. */
export function syncFolder(folder, sync = fsyncSync) {
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name)
    const found = statSync(path)
    if (found.isFile() || found.isDirectory()) syncPath(path, sync)
  }
  syncPath(folder, sync)
  syncPath(dirname(folder), sync)
}

function syncPath(path, sync) {
  const descriptor = openSync(path, 'r')
  try {
    sync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
