import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { GET } from './route'

const deps = freshDeps()
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'types-'))
})
afterEach(() => rm(folder, { recursive: true }))

const read = (as: string, scopes?: string[], headers = {}) =>
  call(deps, GET, { path: '/api/types.d.ts', as, scopes, headers })

/** What the compiler says of a module that uses the declarations; nothing when it is content. */
async function faultsOf(declarations: string, module: string): Promise<string> {
  await writeFile(join(folder, 'types.d.ts'), declarations)
  await writeFile(join(folder, 'module.ts'), module)
  const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc')
  const options = ['--strict', '--noEmit', '--exactOptionalPropertyTypes', '--target', 'es2022']
  const run = promisify(execFile)(process.execPath, [compiler, ...options, 'module.ts'], {
    cwd: folder,
  })
  return run.then(
    () => '',
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  )
}

async function installAirports() {
  await installTestEntity(deps, {
    entity: { name: 'Airport', auditable: true },
    schema: {
      label: 'An airport',
      additionalProperties: false,
      properties: [
        {
          name: 'name',
          type: 'string',
          meta: { required: true, description: 'Ends */ no comment' },
        },
        { name: 'kind', type: 'string', meta: { enum: ['civil', 'military'] } },
        {
          name: 'country',
          type: 'string',
          meta: { reference: { entity: 'Country', field: 'id' } },
        },
        { name: 'fee', type: 'decimal' },
        { name: 'opened', type: 'date' },
        { name: 'active', type: 'boolean', meta: { required: true, default: true } },
        { name: 'runways', type: 'array' },
      ],
    },
  })
}

test('the compiler takes them, and holds code to them', async () => {
  await installAirports()
  await installTestEntity(deps, { entity: { name: 'Note' } })
  const { text } = await read('ADMIN')
  const good = `
    import type { Airport, AirportChange, Entities, NewAirport, Note } from './types'
    declare const airport: Airport
    export const name: string = airport.name
    export const kind: 'civil' | 'military' | null = airport.kind
    export const fee: number | null = airport.fee
    export const by: string | null = airport.CreatedBy
    export const id: string = airport.persistenceId
    export const added: NewAirport = { name: 'Kloten', fee: '12.50', opened: { $date: 0 } }
    export const change: AirportChange = { kind: null }
    export const same: Entities['Airport']['record'] = airport
    export const note: Note = { id: 1, persistenceId: '1', anything: ['goes'] }`
  expect(await faultsOf(text, good)).toBe('')
  const bad = `
    import type { AirportChange, NewAirport } from './types'
    export const nameless: NewAirport = { fee: 1 }
    export const kind: AirportChange = { kind: 'royal' }
    export const undeclared: AirportChange = { colour: 'red' }
    export const audit: AirportChange = { CreatedBy: 'me' }`
  const faults = await faultsOf(text, bad)
  expect(faults.match(/error TS\d+/g)).toHaveLength(4)
})

test('names of entities that mean something to TypeScript are no obstacle', async () => {
  for (const name of ['string', 'type', 'Json', 'Entities', 'Airport', 'NewAirport', 'Promise'])
    await installTestEntity(deps, { entity: { name, dbTable: `t_${name}` } })
  const { text } = await read('ADMIN')
  const module = `
    import type { Entities } from './types'
    export const names: Record<keyof Entities, boolean> = {
      string: true, type: true, Json: true, Entities: true, Airport: true, NewAirport: true, Promise: true,
    }`
  expect(await faultsOf(text, module)).toBe('')
})

test('references are documented, and only entities that the caller may read', async () => {
  await installAirports()
  await installTestEntity(deps, { entity: { name: 'Note', permissions: { read: false } } })
  const { text } = await read('VIEWER')
  expect(text).toContain('Refers to `id` of Country.')
  expect(text).toContain('interface Airport {')
  expect(text).not.toContain('Note')
  expect((await read('ADMIN', ['Note:read'])).text).not.toContain('Airport')
})

test('a client that has them gets 304', async () => {
  await installAirports()
  const etag = (await read('ADMIN')).headers.get('etag') ?? ''
  const again = await read('ADMIN', undefined, { 'if-none-match': etag })
  expect([again.status, again.text]).toEqual([304, ''])
})
