import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDebianPackage } from './debian.mjs'
import { makeWorkFolder } from './work-folder.mjs'

const DEBIAN_SERVERS = '/usr/lib/postgresql'

/**
 * @typedef {object} ThrowawayPostgres
 * @property {string} url
 * @property {number} pid Of its first process.
 * @property {() => void} stop Stops and removes it.
 * @property {() => void} halt Kills it without a shutdown; its data are kept for `restart`.
 * @property {() => void} restart
 * @property {() => Promise<ThrowawayPostgres>} replicate Starts a streaming replica of it.
 */

/**
 * Starts a PostgreSQL server of its own, in a temporary folder and on a free port, from the newest
 * server binaries of the machine. Null when there are no binaries and none can be installed. Unless
 * `durable`, it does not wait for the disk; `inMemory` keeps its data off it if there is room.
 * @param {{ durable?: boolean, inMemory?: boolean }} [options] @returns {Promise<ThrowawayPostgres | null>}
 */
export async function startThrowawayPostgres({ durable = false, inMemory = false } = {}) {
  if (!findBinaries()) await installDebianPackage('postgresql')
  const binaries = findBinaries()
  if (!binaries) return null
  const server = { binaries, extra: durable ? [] : FAST, inMemory }
  return startServer(server, (folder) => create(binaries, folder))
}

/** `fill` makes the folder `data` of the server in a folder. */
async function startServer(server, fill) {
  const { binaries, extra, inMemory } = server
  const folder = makeWorkFolder('engine-pg-', { inMemory })
  const port = await freePort()
  const data = join(folder, 'data')
  const halt = () => void execute(binaries, 'pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
  const stop = () => {
    process.removeListener('exit', stop)
    halt()
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  try {
    if (isRoot) spawnSync('chown', ['postgres', folder])
    chmodSync(folder, 0o700)
    fill(folder)
    start(binaries, folder, port, extra)
  } catch (error) {
    stop()
    throw error
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    get pid() {
      return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
    },
    stop,
    halt,
    restart: () => start(binaries, folder, port, extra),
    replicate: () => startServer(server, (replica) => copy(binaries, replica, port)),
  }
}

/**
 * Folder of `initdb`, `pg_ctl`, `pg_dump` and others, or null. Debian keeps them out of PATH, one folder a version.
 */
export function findBinaries() {
  const versions = existsSync(DEBIAN_SERVERS) ? readdirSync(DEBIAN_SERVERS) : []
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a))
  const asked = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim()
  const folders = [...newestFirst.map((version) => join(DEBIAN_SERVERS, version, 'bin')), asked]
  return folders.find((folder) => folder && existsSync(join(folder, 'initdb'))) ?? null
}

function create(binaries, folder) {
  const locale = process.platform === 'linux' ? '--locale=C.UTF-8' : '--no-locale'
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', locale, '--no-sync']
  must(execute(binaries, 'initdb', ['-D', join(folder, 'data'), ...options]))
}

/** A copy of the server at `port` that goes on to receive its log. */
function copy(binaries, folder, port) {
  const from = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
  const options = ['-R', '-X', 'stream', '-c', 'fast', '--no-sync']
  must(execute(binaries, 'pg_basebackup', [...from, '-D', join(folder, 'data'), ...options]))
}

function start(binaries, folder, port, extra) {
  const settings = [`-p ${port}`, `-k ${folder}`, ...NETWORK, ...extra]
  const log = join(folder, 'log')
  const args = ['-D', join(folder, 'data'), '-w', '-l', log, '-o', settings.join(' '), 'start']
  let result = execute(binaries, 'pg_ctl', args)
  // A server that was just killed may have left its lock file: the next attempt removes it.
  for (let attempt = 0; result.status !== 0 && attempt < 3; attempt++)
    result = execute(binaries, 'pg_ctl', args)
  must(result)
}

// Its data need not survive a power failure.
const FAST = ['fsync', 'synchronous_commit', 'full_page_writes'].map((name) => `-c ${name}=off`)
const NETWORK = ['-c listen_addresses=127.0.0.1', '-c max_connections=200']

const isRoot = process.getuid?.() === 0

// PostgreSQL refuses to run as root.
function execute(binaries, program, args) {
  const path = join(binaries, program)
  const options = { encoding: 'utf8', cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] }
  return isRoot
    ? spawnSync('runuser', ['-u', 'postgres', '--', path, ...args], options)
    : spawnSync(path, args, options)
}

function must({ status, stderr, error }) {
  if (status === 0) return
  throw new Error(`PostgreSQL did not start: ${error?.message ?? stderr}`)
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
