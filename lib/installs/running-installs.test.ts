import { expect, test } from 'vitest'
import { installsStop, takeSlot } from './running-installs'

test('many installs that wait for a slot together leak no listeners', async () => {
  const deps = { settings: { MAX_INSTALLS: 1, INSTALL_WAIT_MS: 60_000 } } as never
  const warnings: string[] = []
  const note = ({ name }: Error) => warnings.push(name)
  process.on('warning', note)
  const slots = Array.from({ length: 13 }, () => takeSlot(deps, installsStop))
  await new Promise(setImmediate)
  for (const slot of slots) (await slot)()
  process.off('warning', note)
  expect(warnings).toEqual([])
})
