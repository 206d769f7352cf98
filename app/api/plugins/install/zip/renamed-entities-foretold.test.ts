import { describe, expect, test } from 'vitest'
import { checkDryRun } from '../../testing/check-dry-run'
import { deps, people, renamed, shop } from '../../testing/renamed-shop'

describe('an entity with renamedFrom', () => {
  test.each(['partial', 'atomic'] as const)('is foretold by a dry run (%s)', async (mode) => {
    const data = [{ email: 'a@b.ch' }, { email: 'e@f.ch' }]
    const files = await checkDryRun(
      deps,
      shop('Person', { data: people }),
      shop('Customer', { entity: renamed, data }),
      mode,
    )
    expect(files.find(({ path }) => path === 'Customer/data.json')?.error).toBe('Conflict Issue!')
  })
})
