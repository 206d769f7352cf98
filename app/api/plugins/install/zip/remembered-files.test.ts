import { expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { genres, THREE } from '../../testing/genres'
import { installAsPlanned } from '../../testing/install-as-planned'
import type { Files } from '../../testing/plugin-api'

const deps = freshDeps()
const install = (files: Files) => installAsPlanned(deps, files)

test('the same content of another file or another plugin is another record', async () => {
  await install(genres(THREE))
  expect((await install(genres(THREE, { file: 'more.json' }))).counts).toEqual([3, 0, 0])
  expect((await install(genres(THREE, { plugin: { id: 'com.example.b' } }))).counts).toEqual([
    3, 0, 0,
  ])
})

test('a file is the same whatever the top folder of the archive is called', async () => {
  const within = (folder: string) =>
    Object.fromEntries(Object.entries(genres(THREE)).map(([path, file]) => [folder + path, file]))
  await install(within('shop-1.0/'))
  expect((await install(within('shop-1.1/'))).counts).toEqual([0, 0, 3])
  expect((await install(within(''))).counts).toEqual([0, 0, 3])
})
