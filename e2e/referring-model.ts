import type { APIRequestContext } from '@playwright/test'
import JSZip from 'jszip'
import { expect } from './fixtures'

const COUNTRIES = ['DE', 'FR', 'IT']
const NAMES = { DE: 'Germany', FR: 'France', IT: 'Italy' } as Record<string, string>

const CUSTOMERS = 12
export const ORDERS = 60

/**
 * Customers with a country, and what refers to them in every way: orders prevent a deletion, notes go with it, and
 * tickets lose their customer. Streets refer to towns by two fields. Order `n` is of customer `n % 12 + 1`.
 */
export async function installReferences(
  api: APIRequestContext,
  p: string,
  /** Role that may read orders alone. */
  clerk?: string,
): Promise<void> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  const fixed = (...keys: string[]) =>
    keys.map((key) => ({ key, strategy: 'Fixed', type: 'string' }))
  put('engineplugin.json', { id: `test.${p}`, name: p, version: '1.0.0' })
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  const define = (
    name: string,
    properties: object[],
    records: object[],
    { pks, after = [] }: { pks?: object[]; after?: string[] } = {},
  ) => {
    put(`EngineSchemas/${p}${name}.json`, { name: `${p}${name}`, properties })
    put(`EngineEntities/${p}${name}.json`, { name: `${p}${name}`, ...(pks ? { pks } : {}) })
    const dependencies = after.map((each) => `${p}${each}`)
    put(`${p}${name}/__manifest__.json`, { target: `${p}${name}`, dependencies })
    put(`${p}${name}/data.json`, records)
  }
  const to = (entity: string, field: string, more: object = {}) => ({
    reference: { entity: `${p}${entity}`, field, ...more },
  })
  const text = (name: string, more: object = {}) => ({ name, type: 'string', ...more })
  const customer = (onDelete?: string) => ({
    name: 'customer',
    type: 'integer',
    ...to('Customer', 'id', onDelete ? { onDelete } : {}),
  })
  const made = (count: number, one: (n: number) => object) =>
    Array.from({ length: count }, (_, n) => one(n))
  define(
    'Country',
    [text('name')],
    COUNTRIES.map((code) => ({ code, name: NAMES[code] })),
    { pks: fixed('code') },
  )
  define(
    'Customer',
    [text('name'), text('country', to('Country', 'code'))],
    made(CUSTOMERS, (n) => ({
      id: n + 1,
      name: `Customer No. ${n + 1}`,
      country: COUNTRIES[n % 3],
    })),
    { after: ['Country'] },
  )
  const after = ['Customer']
  define(
    'Order',
    [text('note'), customer()],
    made(ORDERS, (n) => ({ note: `Order ${n}`, customer: (n % CUSTOMERS) + 1 })),
    { after },
  )
  define(
    'Note',
    [text('text'), customer('cascade')],
    made(3, () => ({ text: 'x', customer: 12 })),
    { after },
  )
  define(
    'Ticket',
    [text('subject'), customer('setNull')],
    made(2, () => ({ subject: 'y', customer: 12 })),
    { after },
  )
  define(
    'Town',
    [text('mayor')],
    [
      { country: 'DE', name: 'Bonn', mayor: 'Katja' },
      { country: 'US', name: 'Bonn', mayor: 'Ann' },
    ],
    { pks: fixed('country', 'name') },
  )
  define(
    'Street',
    [text('town', to('Town', 'name', { with: { land: 'country' } })), text('land')],
    [
      { code: 'A', town: 'Bonn', land: 'DE' },
      { code: 'B', town: 'Bonn', land: 'US' },
    ],
    { pks: fixed('code'), after: ['Town'] },
  )
  if (clerk) {
    const policy = { name: `${p} orders`, principals: [clerk], entities: [`${p}Order`] }
    put('EngineRoles/__manifest__.json', { target: 'EngineRoles' })
    put('EngineRoles/roles.json', [{ name: clerk }])
    put('EnginePolicies/__manifest__.json', { target: 'EnginePolicies' })
    put('EnginePolicies/policies.json', [{ ...policy, actions: ['read'] }])
  }
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: `${p}.zip`, mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data.failedCount).toBe(0)
}

/** The conditions in the address of a list. */
export const filterOf = (url: string) => JSON.parse(new URL(url).searchParams.get('filter') ?? '[]')
