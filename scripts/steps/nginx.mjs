import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { installDebianPackage } from './debian.mjs'
import { ROOT } from './run.mjs'
import { freePort } from './throwaway-postgres.mjs'

const NGINX = '/usr/sbin/nginx'
const START_MS = 10_000

/** Whether there is an nginx, which is installed where that is possible. */
export async function hasNginx() {
  if (!existsSync(NGINX)) await installDebianPackage('nginx-light')
  return existsSync(NGINX)
}

/**
 * Starts nginx in front of `servers` (`127.0.0.1:3000`) by the configuration that we ship, without TLS. Returns its
 * address and a function that stops it.
 * @param {string[]} servers
 * @returns {Promise<{ url: string, stop: () => void }>}
 */
export async function startNginx(servers) {
  const folder = mkdtempSync(join(tmpdir(), 'engine-nginx-'))
  const port = await freePort()
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, servers))
  const own = `daemon off; pid ${folder}/pid;`
  const args = [
    '-p',
    folder,
    '-e',
    join(folder, 'errors'),
    '-c',
    join(folder, 'nginx.conf'),
    '-g',
    own,
  ]
  const child = spawn(NGINX, args, { stdio: 'ignore' })
  const stop = () => {
    process.removeListener('exit', stop)
    child.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  await untilUp(port)
  return { url: `http://127.0.0.1:${port}`, stop }
}

/** The shipped one with the addresses of this machine, and everything that it writes in `folder`. */
function configuration(folder, port, servers) {
  const parts = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = parts.map((what) => `${what}_temp_path ${folder}/${what};`)
  const options = 'max_fails=1 fail_timeout=5s;'
  return readFileSync(join(ROOT, 'deploy/proxies/nginx.conf'), 'utf8')
    .replace('http {', `http {\n access_log off;\n ${paths.join('\n ')}`)
    .replace(/ {4}server engine-1.*\n {4}server engine-2.*\n/, () =>
      servers.map((server) => `    server ${server} ${options}\n`).join(''),
    )
    .replace(/ {2}server \{\n {4}listen 80;\n.*\n {2}\}\n/, '')
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace(/ +ssl_.*\n/g, '')
}

async function untilUp(port) {
  for (const until = Date.now() + START_MS; ; ) {
    const isUp = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (isUp) return
    if (Date.now() > until) throw new Error('nginx does not listen')
    await delay(50)
  }
}
