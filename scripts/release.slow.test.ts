import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'engine-release-'))
afterAll(() => rmSync(root, { recursive: true }))

function run(command: string, ...args: string[]): { text: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  return { text: stdout + stderr, status }
}
const release = (...args: string[]) =>
  run(process.execPath, join(__dirname, 'release.mjs'), ...args)

function place(file: string, content: string | object): void {
  mkdirSync(join(root, dirname(file)), { recursive: true })
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  writeFileSync(join(root, file), text)
}
function commit(): void {
  run('git', 'add', '-A')
  expect(run('git', 'commit', '-qm', 'Change').status).toBe(0)
}

const project = { name: 'engine', version: '1.2.0' }
place('package.json', project)
place('package-lock.json', { ...project, lockfileVersion: 3, packages: { '': project } })
place('deploy/helm/Chart.yaml', 'name: engine\nversion: 1.2.0\nappVersion: "1.1.0"\n')
place('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-01-01\n')
place('.gitignore', 'release\n')
run('git', 'init', '-q')
run('git', 'config', 'user.name', 'Ann')
run('git', 'config', 'user.email', 'ann@example.com')

test('what a release lacks is said, all of it, and nothing is made', () => {
  const { text, status } = release()
  expect(status).toBe(1)
  for (const fault of [/Commit what/, /begins with another version/, /appVersion 1\.1\.0/])
    expect(text).toMatch(fault)
  expect(readdirSync(root)).not.toContain('release')
})

test('a dry run writes the same files each time, with their hashes; a release tags once', () => {
  place('deploy/helm/Chart.yaml', 'name: engine\nversion: 1.2.0\nappVersion: "1.2.0"\n')
  place('CHANGELOG.md', '# Changelog\n\n## [1.2.0] - 2026-02-02\n\n### Upgrading\n\nNothing.\n')
  commit()
  const dry = release('--dry-run')
  expect(dry.text).toContain('v1.2.0 is not tagged')
  expect(run('git', 'tag').text).toBe('')
  const read = (file: string) => readFileSync(join(root, 'release', file))
  const sums = read('SHA256SUMS').toString()
  const listed = sums
    .trim()
    .split('\n')
    .map((line) => line.split('  ') as [string, string])
  expect(listed.map(([, file]) => file).sort()).toEqual(
    readdirSync(join(root, 'release'))
      .filter((file) => file !== 'SHA256SUMS')
      .sort(),
  )
  for (const [sum, file] of listed)
    expect(createHash('sha256').update(read(file)).digest('hex')).toBe(sum)
  expect(JSON.parse(read('engine-1.2.0.cdx.json').toString())).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'engine', version: '1.2.0' } },
  })
  const names = gunzipSync(read('engine-1.2.0-chart.tgz')).toString('latin1')
  expect(names).toContain('engine/Chart.yaml')
  // Archives have times in seconds.
  const second = () => Math.floor(Date.now() / 1000)
  for (const made = second(); second() === made; );
  expect(release().text).toContain('v1.2.0 is tagged')
  expect(read('SHA256SUMS').toString()).toBe(sums)
  expect(release()).toMatchObject({ status: 1, text: expect.stringContaining('released already') })
})
