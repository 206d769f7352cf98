import { expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import { archiveOf, pluginFiles } from '@/lib/testing/archive'
import { makeIndex } from './make-index'

const archive = (url: string, plugin: object) => ({
  url,
  load: () => archiveOf(pluginFiles({}, plugin)),
})
const make = (...archives: ReturnType<typeof archive>[]) =>
  makeIndex(archives, parseEnv({}), { former: null })

test('plugins are in the order of their ids, versions from the newest, whatever the archives are called', async () => {
  const { plugins } = await make(
    archive('1.zip', { id: 'com.example.toys', version: '1' }),
    archive('2.zip', { version: '1.9.0', name: 'Former name' }),
    archive('3.zip', { version: '1.10.0-rc.1', name: 'Shop' }),
    archive('4.zip', { version: '1.10.0-beta' }),
  )
  expect(plugins.map(({ id, name }) => [id, name])).toEqual([
    ['com.example.shop', 'Shop'],
    ['com.example.toys', 'Shop'],
  ])
  expect(plugins[0]?.versions.map(({ version }) => version)).toEqual([
    ...['1.10.0-rc.1', '1.10.0-beta', '1.9.0'],
  ])
})

test('what is wrong with an archive is said with its address', async () => {
  await expect(make(archive('a/b.zip', { version: null }))).rejects.toThrow(
    'a/b.zip: com.example.shop has no version',
  )
})
