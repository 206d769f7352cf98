import { describe, expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { checkDryRun } from '../../testing/check-dry-run'
import { counting } from '../../testing/counting'

const deps = freshDeps()

describe.each(['number', 'string'] as const)('a counter that is a %s', (type) => {
  test('counts on past the numbers of a file that fails, in a dry run too', async () => {
    const second = counting(
      [[{ code: 'a' }, { code: 'a' }], [{}], [{ no: type === 'number' ? 3 : '3' }]],
      type,
    )
    const files = await checkDryRun(deps, counting([[]], type), second, 'partial')
    expect(files.slice(-3).map(({ error }) => error)).toEqual([
      'Conflict Issue!',
      null,
      'Conflict Issue!',
    ])
  })
})
