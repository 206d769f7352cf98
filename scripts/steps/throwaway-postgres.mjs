import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDebianPackage } from './debian.mjs'

const DEBIAN_SERVERS = '/usr/lib/postgresql'

/**
 * Starts a PostgreSQL server of its own, in a temporary folder and on a free port, from the newest
 * server binaries of the machine. Returns its address, the id of its first process, and functions
 * to stop and remove it; null when there are no binaries and none can be installed. Unless
 * `durable`, it does not wait for the disk. @param {{ durable?: boolean }} [options] @returns
 * {Promise<{ url: string, pid: number, stop: () => void, restart: () => void, halt: () => void } |
 * null>}
 */
export async function startThrowawayPostgres({ durable = false } = {}) {
  if (!findBinaries()) await installDebianPackage('postgresql')
  const binaries = findBinaries()
  if (!binaries) return null
  const folder = mkdtempSync(join(tmpdir(), 'engine-pg-'))
  const port = await freePort()
  const stop = () => {
    process.removeListener('exit', stop)
    execute(binaries, 'pg_ctl', ['-D', join(folder, 'data'), '-m', 'immediate', '-w', 'stop'])
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  try {
    create(binaries, folder)
    start(binaries, folder, port, durable ? [] : FAST)
  } catch (error) {
    stop()
    throw error
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    get pid() {
      return Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
    },
    stop,
    /** Kills it without a shutdown; its data are kept for `restart`. */
    halt: () =>
      void execute(binaries, 'pg_ctl', [
        '-D',
        join(folder, 'data'),
        '-m',
        'immediate',
        '-w',
        'stop',
      ]),
    restart: () => start(binaries, folder, port, durable ? [] : FAST),
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
  if (isRoot) spawnSync('chown', ['postgres', folder])
  chmodSync(folder, 0o700)
  const locale = process.platform === 'linux' ? '--locale=C.UTF-8' : '--no-locale'
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', locale, '--no-sync']
  must(execute(binaries, 'initdb', ['-D', join(folder, 'data'), ...options]))
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
