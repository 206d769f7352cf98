/**
 * `npm run pack:command`: the authors' command as a package that depends on no other, in the folder where npm was called.
 * Arguments go to `npm pack`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './steps/run.mjs'
import './build-cli.mjs'

const application = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const { name, version, type, bin, engines } = application
const description = "The command of those who write the engine's plugins"
const folder = mkdtempSync(join(tmpdir(), 'engine-command-'))
try {
  const manifest = { name, version, description, type, bin, engines }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const path of ['bin/engine.mjs', 'dist/engine.mjs', 'dist/lib'])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  const { status } = spawnSync('npm', ['pack', folder, ...process.argv.slice(2)], {
    cwd: process.env.INIT_CWD ?? process.cwd(),
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true })
}
