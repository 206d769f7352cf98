import { beforeEach, expect, test, vi } from 'vitest'
import type { Deps } from '@/lib/runtime'
import { pluginFiles } from '@/lib/testing/archive'
import { testDeps } from '@/lib/testing/deps'
import { install } from '../../testing/plugin-api'

let deps: Deps
vi.mock('@/lib/runtime', () => ({ getDeps: async () => deps }))
beforeEach(async () => {
  deps = await testDeps()
})

const plugin = (labels: object) =>
  pluginFiles({ EngineEntities: { files: { 'Thing.json': { name: 'Thing' } } } }, labels)

test.each([
  [{ name: ' Shop ' }, 'Shop', '"name" is taken as "Shop", without its outer spaces'],
  [{ name: ' ' }, 'com.example.shop', '"name" is blank, so the plugin is called by its id'],
  [{ version: '1.0 ' }, 'Shop', '"version" is taken as "1.0"'],
  [{ name: 'My Shop' }, 'My Shop', null],
])('the labels %j of a plugin are trimmed, and the log says so', async (labels, name, warning) => {
  const { body, logs } = await install(deps, plugin(labels))
  expect(body.data.pluginName).toBe(name)
  expect(logs[0]?.warnings.map(({ message }) => message)).toEqual(
    warning === null ? [] : [expect.stringContaining(warning)],
  )
})

test('names and targets are trimmed, misspelt dependencies passed over, and the log says so', async () => {
  const files = pluginFiles({
    EngineRoles: {
      manifest: { target: ' EngineRoles', depends: ['Thing'] },
      files: { 'r.json': { name: 'Clerk ' } },
    },
  })
  const { logs } = await install(deps, files)
  expect(logs[0]?.warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('"target" is taken as "EngineRoles", without its outer spaces'),
    expect.stringContaining('"depends" is ignored; did you mean "dependencies"?'),
    '"name" is taken as "Clerk", without its outer spaces',
  ])
})
