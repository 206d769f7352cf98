import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitText } from './git-text.mjs'

/**
 * What a release of the project in `root` lacks, in words; none: it can be made.
 * @param {string} root
 * @returns {string[]}
 */
export function releaseFaults(root) {
  const read = (file) => readFileSync(join(root, file), 'utf8')
  const { version } = JSON.parse(read('package.json'))
  const lock = JSON.parse(read('package-lock.json'))
  const [newest = ''] = read('CHANGELOG.md').split(/^## /m).slice(1)
  const chart = read('deploy/helm/Chart.yaml')
  const says = (name) => new RegExp(`^${name}: "?([^"\n]+)"?$`, 'm').exec(chart)?.[1]
  /** @type {[boolean, string][]} */
  const faults = [
    [gitText(root, 'status', '--porcelain') !== '', 'Commit what was changed, or undo it'],
    [gitText(root, 'tag', '--list', `v${version}`) !== '', `v${version} is released already`],
    [lock.version !== version, `package-lock.json is of ${lock.version}: run npm install`],
    [
      !newest.startsWith(`[${version}] - `),
      `CHANGELOG.md begins with another version than ${version}, or without its date`,
    ],
    [!newest.includes('### Upgrading\n'), `CHANGELOG.md does not say what upgrading asks for`],
    ...['version', 'appVersion'].map((name) => [
      says(name) !== version,
      `deploy/helm/Chart.yaml has the ${name} ${says(name)}`,
    ]),
  ]
  return faults.flatMap(([isSo, fault]) => (isSo ? [`${fault}.`] : []))
}
