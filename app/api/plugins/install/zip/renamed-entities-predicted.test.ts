import { describe, expect, test } from 'vitest'
import { checkDryRun } from '../../testing/check-dry-run'
import { deps, people, renamed, shop } from '../../testing/renamed-shop'

describe('an entity with renamedFrom', () => {
  test.each(['partial', 'atomic'] as const)(
    'is shown by a dry run, its records recognised (%s)',
    async (mode) => {
      const later = [{ email: 'a@b.ch' }, { email: 'e@f.ch' }]
      const files = await checkDryRun(
        deps,
        shop('Person', { data: people }),
        shop('Customer', { entity: renamed, data: later }),
        mode,
      )
      const data = files.find(({ path }) => path === 'Customer/data.json')
      expect(data).toMatchObject({ error: null, records: { created: 1, updated: 0, unchanged: 1 } })
    },
  )
})
