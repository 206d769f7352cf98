/** What a test may ask of the engine in a process that it kills, and the handler that carries it out. */
import { readFile } from 'node:fs/promises'
import { POST as FORGET } from '@/app/api/auth/forget-password/route'
import { GET as AT_PROVIDER } from '@/app/api/auth/oidc/[provider]/route'
import { POST as RESET } from '@/app/api/auth/reset-password/route'
import { POST as CREATE, DELETE, PATCH } from '@/app/api/entities/[entityName]/batch/route'
import { POST as IMPORT } from '@/app/api/entities/[entityName]/import/route'
import { DELETE as DROP_INDEX } from '@/app/api/entities/[entityName]/indexes/[name]/route'
import { POST as ADD_INDEX } from '@/app/api/entities/[entityName]/indexes/route'
import { POST as APPLY_MODEL } from '@/app/api/model/apply/route'
import { POST as ROLL_BACK } from '@/app/api/plugins/history/[id]/rollback/route'
import { POST } from '@/app/api/plugins/install/zip/route'
import { POST as ADD_USER } from '@/app/api/users/init/route'
import type { Deps } from '@/lib/deps'
import { nextAuthRoute } from '@/lib/http/next-auth-route'
import { uploadOf } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { restore, uninstall } from './uninstall-api'

export type Order =
  | { name: 'install'; archive: string; query: string }
  | { name: 'create'; entity: string; count: number; fields: object }
  | { name: 'delete'; entity: string; query?: object[] }
  | { name: 'edit'; entity: string; set: object; url: string }
  | { name: 'import'; entity: string; file: string; url: string }
  | { name: 'apply model'; body: object }
  | { name: 'uninstall'; plugin: string }
  | { name: 'restore'; batchId: string }
  | { name: 'roll back'; history: number }
  | { name: 'add index'; entity: string; index: object }
  | { name: 'drop index'; entity: string; index: string }
  | { name: 'add user'; email: string }
  | { name: 'forget password'; email: string }
  | { name: 'reset password'; token: string; password: string }
  | { name: 'begin at provider' }
  | { name: 'return from provider'; search: string; cookie: string }

type Of<Name extends Order['name']> = Extract<Order, { name: Name }>
type Carriers = {
  [Name in Order['name']]: (deps: Deps, order: Of<Name>) => ReturnType<typeof call>
}

export const carryOut = <Name extends Order['name']>(deps: Deps, order: Of<Name>) =>
  (CARRIERS[order.name as Name] as Carriers[Name])(deps, order)

const CARRIERS: Carriers = {
  install: async (deps, { archive, query }) =>
    call(deps, POST, {
      method: 'POST',
      path: `/api/plugins/install/zip${query}`,
      body: uploadOf(await readFile(archive)),
      as: 'ADMIN',
    }),
  create: (deps, { entity, count, fields }) =>
    call(deps, CREATE, {
      method: 'POST',
      path: `/api/entities/${entity}/batch`,
      params: { entityName: entity },
      body: Array.from({ length: count }, () => fields),
      as: 'ADMIN',
    }),
  delete: (deps, { entity, query }) =>
    call(deps, DELETE, {
      method: 'DELETE',
      path: `/api/entities/${entity}/batch`,
      params: { entityName: entity },
      body: { entity, query },
      as: 'ADMIN',
    }),
  edit: (deps, { entity, set, url }) =>
    call(deps, PATCH, {
      method: 'PATCH',
      path: `/api/entities/${entity}/batch?${url}`,
      params: { entityName: entity },
      body: { entity, set },
      as: 'ADMIN',
    }),
  import: async (deps, { entity, file, url }) =>
    call(deps, IMPORT, {
      method: 'POST',
      path: `/api/entities/${entity}/import?${url}`,
      params: { entityName: entity },
      body: uploadOf(await readFile(file), 'rows.csv'),
      as: 'ADMIN',
    }),
  'apply model': (deps, { body }) =>
    call(deps, APPLY_MODEL, { method: 'POST', path: '/api/model/apply', body, as: 'ADMIN' }),
  uninstall: (deps, { plugin }) => uninstall(deps, plugin),
  restore: (deps, { batchId }) => restore(deps, batchId),
  'roll back': (deps, { history }) =>
    call(deps, ROLL_BACK, {
      method: 'POST',
      path: `/api/plugins/history/${history}/rollback`,
      params: { id: String(history) },
      as: 'ADMIN',
    }),
  'add index': (deps, { entity, index }) =>
    call(deps, ADD_INDEX, {
      method: 'POST',
      path: `/api/entities/${entity}/indexes`,
      params: { entityName: entity },
      body: index,
      as: 'ADMIN',
    }),
  'drop index': (deps, { entity, index }) =>
    call(deps, DROP_INDEX, {
      method: 'DELETE',
      path: `/api/entities/${entity}/indexes/${index}`,
      params: { entityName: entity, name: index },
      as: 'ADMIN',
    }),
  'add user': (deps, { email }) =>
    call(deps, ADD_USER, {
      method: 'POST',
      path: '/api/users/init?generatePassword=true',
      body: { email, roles: ['VIEWER'], profile: {} },
      as: 'ADMIN',
    }),
  'forget password': (deps, { email }) =>
    call(deps, FORGET, { method: 'POST', path: '/api/auth/forget-password', body: { email } }),
  'reset password': (deps, { token, password }) =>
    call(deps, RESET, {
      method: 'POST',
      path: '/api/auth/reset-password',
      body: { token, password },
    }),
  'begin at provider': async (deps) => {
    const path = '/api/auth/oidc/keycloak'
    return redirected(await call(deps, AT_PROVIDER, { path, params: { provider: 'keycloak' } }))
  },
  'return from provider': async (deps, { search, cookie }) =>
    redirected(
      await call(deps, nextAuthRoute, {
        path: `/api/auth/callback/oidc-keycloak${search}`,
        params: { nextauth: ['callback', 'oidc-keycloak'] },
        headers: { cookie, 'sec-fetch-site': 'cross-site' },
      }),
    ),
}

/** The address of a redirection, and its cookies, as the data of a response. */
function redirected(response: Awaited<ReturnType<typeof call>>) {
  const { headers } = response
  const cookie = headers.getSetCookie().map((one) => one.split(';')[0])
  const data = [{ location: headers.get('location'), cookie: cookie.join('; ') }]
  return { ...response, status: response.status === 302 ? 200 : 500, body: { data } }
}
