import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import type { Handler } from '@/lib/http/route'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { ROUTES } from '../routes'
import { GET } from './route'

const deps = freshDeps()

const PATH = '/api/openapi.json'
const read = async (caller: { as?: string; headers?: Record<string, string> } = {}) =>
  call(deps, GET, { path: PATH, ...caller })

describe('the document', () => {
  test('describes every route, and nothing else', async () => {
    const { body } = await read()
    const described = Object.entries(body.paths).flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual(await documentedRoutes())
  })

  test('is made of the handlers that serve', async () => {
    const files = routeFiles().filter((path) => path !== PATH)
    expect(Object.keys(ROUTES).sort()).toEqual(files)
    for (const [path, handlers] of Object.entries(ROUTES))
      expect(handlers.GET, path).toBe((await load(path)).GET)
  })

  test('has no fault that a public validator finds, without entities and with them', async () => {
    expect(await faultsIn((await read()).text)).toEqual([])
    await installAirports()
    const { text, body } = await read({ as: 'ADMIN' })
    expect(body.paths).toHaveProperty('/api/entities/Airport/search')
    expect(await faultsIn(text)).toEqual([])
  })
})

async function installAirports() {
  await installTestEntity(deps, {
    entity: { name: 'Country', pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }] },
    schema: {
      properties: [
        { name: 'code', type: 'string' },
        { name: 'name', type: 'string' },
      ],
    },
  })
  await installTestEntity(deps, {
    entity: { name: 'Airport', auditable: true },
    schema: {
      additionalProperties: false,
      properties: [
        { name: 'name', type: 'string', label: 'Name', meta: { required: true, maxLength: 80 } },
        { name: 'kind', type: 'string', meta: { enum: ['civil', 'military'] } },
        {
          name: 'country',
          type: 'string',
          meta: { reference: { entity: 'Country', field: 'code' } },
        },
        { name: 'height', type: 'integer', meta: { min: -500, max: 9000 } },
        { name: 'fee', type: 'decimal' },
        { name: 'opened', type: 'date' },
        { name: 'contact', type: 'email' },
        { name: 'runways', type: 'array' },
      ],
    },
  })
}

/** Paths of all `route.ts`, as Next.js has them. */
function routeFiles(): string[] {
  const api = join(__dirname, '..')
  const files = readdirSync(api, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => /(^|\/)route\.ts$/.test(file))
    .map((file) => `/api/${file.replace(/\/?route\.ts$/, '')}`)
    .sort()
}

const load = async (path: string) =>
  (await import(join(__dirname, '../..', path, 'route.ts'))) as Record<string, Handler>

async function documentedRoutes(): Promise<string[]> {
  const found: string[] = []
  for (const path of routeFiles())
    for (const [method, handler] of Object.entries(await load(path))) {
      if (!handler.spec) continue
      const isDocumented = !('undocumented' in handler.spec.doc)
      if (isDocumented) found.push(`${method} ${path.replace(/\[(?:\.\.\.)?(\w+)\]/g, '{$1}')}`)
    }
  return found.sort()
}

const WAIVED = {
  'info-license': 'off', // none is chosen
  'operation-4xx-response': 'off', // what takes no input can't be called wrongly
  'no-ambiguous-paths': 'off', // a path of one entity is one of any entity too, and means the same
} as const

async function faultsIn(source: string) {
  const config = await createConfig({ extends: ['recommended'], rules: WAIVED })
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.map(({ severity, ruleId, message, location }) => ({
    severity,
    ruleId,
    message,
    at: location[0]?.pointer,
  }))
}
