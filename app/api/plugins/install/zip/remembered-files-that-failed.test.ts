import { expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { genres } from '../../testing/genres'
import { installAsPlanned } from '../../testing/install-as-planned'
import type { Files } from '../../testing/plugin-api'

const deps = freshDeps()
const install = (files: Files) => installAsPlanned(deps, files)

test('a file that failed has given nothing', async () => {
  await install(genres([]))
  await install(genres([{ name: 'a' }, { id: 1 }, { id: 1 }], { onDuplicate: 'Error' }))
  expect((await install(genres([{ name: 'a' }], { onDuplicate: 'Error' }))).counts).toEqual([
    1, 0, 0,
  ])
})
