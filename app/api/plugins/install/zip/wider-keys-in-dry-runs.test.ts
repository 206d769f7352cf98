import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { checkDryRun } from '../../testing/check-dry-run'
import { deps, installed } from '../../testing/versions'
import { owner, pet } from '../../testing/wider-keys'

describe('a key that widens', () => {
  test.each(['partial', 'atomic'] as const)('is predicted by a dry run (%s)', async (mode) => {
    await installed(pluginFiles(owner({ type: 'smallint' })))
    await installed(pet('smallint'))
    const files = await checkDryRun(
      deps,
      pluginFiles(owner({ type: 'smallint' }, [{}, {}])),
      pluginFiles(owner({ type: 'string', pk: 'string' }, [{ parent: '2' }])),
      mode,
    )
    expect(files.map(({ error }) => error)).toEqual([null, null, null])
  })
})
