import { expect, test } from 'vitest'
import { latestVersion } from './find-version'

const offered = (...versions: string[]) => ({
  id: 'com.example.shop',
  versions: versions.map((version) => ({
    ...{ version, url: 'a.zip', sha256: '', bytes: 1 },
    ...(version.startsWith('9') ? { engine: '>=900' } : {}),
  })),
})

test.each<[string[], string | null, string | null]>([
  [['1.9', '1.10', '1.2'], null, '1.10'],
  [['1.0', '1.1-rc.1', '9.0'], '1.0', '1.0'],
  [['1.0', '1.1-rc.1', '9.0'], '1.0-rc.3', '1.1-rc.1'],
  [['1.1-rc.1', '1.1-rc.10'], '1.0', '1.1-rc.10'],
  [['1.0', '1.0+a-b'], null, '1.0+a-b'],
  [['9.0'], null, null],
])('of %j, with %s installed, %s is offered', (versions, installed, latest) => {
  expect(latestVersion(offered(...versions), installed)?.version ?? null).toBe(latest)
})
