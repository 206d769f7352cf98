import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitText } from '../../scripts/steps/git-text.mjs'
import { ROOT, run } from '../../scripts/steps/run.mjs'

/** The latest release before this commit, or what was asked for. */
export function earlierVersion(asked: string | undefined): string {
  if (asked) return asked
  try {
    return gitText(ROOT, 'describe', '--tags', '--match', 'v*', '--abbrev=0', 'HEAD^')
  } catch {
    throw new Error('No release is tagged (v1.2.3) before this commit: name one by --from COMMIT')
  }
}

/** Makes a checkout of a commit in a folder, with its packages, and builds it. What is built there already is used. */
export async function buildVersion(ref: string, folder: string): Promise<void> {
  const stamp = join(folder, 'built')
  if (existsSync(stamp)) return
  gitText(ROOT, 'clone', '--quiet', '--shared', '--no-checkout', ROOT, folder)
  gitText(folder, 'checkout', '--quiet', '--detach', gitText(ROOT, 'rev-parse', `${ref}^{commit}`))
  await installPackages(folder)
  await must('npm', ['run', 'build', '--silent', '--prefix', folder])
  writeFileSync(stamp, '')
}

/** By `npm ci`, unless the packages of this checkout are the same. */
async function installPackages(folder: string): Promise<void> {
  const lock = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (lock(folder) !== lock(ROOT)) return must('npm', ['ci', '--silent', '--prefix', folder])
  const options = { recursive: true, verbatimSymlinks: true }
  cpSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), options)
}

async function must(command: string, args: string[]): Promise<void> {
  const env = { NEXT_TELEMETRY_DISABLED: '1' }
  if ((await run(command, args, { env, quiet: true })) !== 0)
    throw new Error(`${command} ${args.join(' ')} failed`)
}
