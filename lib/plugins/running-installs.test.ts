import { expect, test } from 'vitest'
import { takeTurn } from './install-turns'
import { installsStop } from './running-installs'

test('many installs that wait for a turn at once are no leak of listeners', async () => {
  const deps = { settings: { MAX_INSTALLS: 1, INSTALL_WAIT_MS: 60_000 } } as never
  const warnings: string[] = []
  const note = ({ name }: Error) => warnings.push(name)
  process.on('warning', note)
  const turns = Array.from({ length: 13 }, () => takeTurn(deps, installsStop))
  await new Promise(setImmediate)
  for (const turn of turns) (await turn)()
  process.off('warning', note)
  expect(warnings).toEqual([])
})
