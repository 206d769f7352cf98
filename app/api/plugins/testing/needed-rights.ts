import { beforeEach, describe, expect, test } from 'vitest'
import { BOOKS, deps, install, records, titles } from './books'
import { install as installAsAdmin } from './plugin-api'

/** `insertDuplicate`, the scopes of the installer, and the rights that the message says are missing. */
type Case = [string, string[], string | undefined]

/** What an installer needs in order to write records of an entity of another plugin. */
export function testNeededRights(cases: Case[]): void {
  describe('records of an entity that is installed', () => {
    beforeEach(async () => {
      await installAsAdmin(deps, BOOKS)
    })

    test.each(cases)(
      'with %s and the scopes %j need the rights',
      async (insertDuplicate, scopes, missing) => {
        const { verdicts, message } = await install(records({ insertDuplicate }), ...scopes)
        if (missing) {
          expect(verdicts).toEqual({ 'Book/data.json': 'Forbidden' })
          expect(message).toContain(missing)
          expect(await titles()).toEqual([{ title: 'Emma' }])
        } else expect(verdicts['Book/data.json']).not.toBe('Forbidden')
      },
    )
  })
}
