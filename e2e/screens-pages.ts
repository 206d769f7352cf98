import type { APIRequestContext } from '@playwright/test'

/** Pages with content on any server. */
export const ALWAYS = [
  '/',
  '/entities',
  '/entities?view=diagram',
  '/entities?view=types',
  '/new-entity',
  '/plugins',
  '/plugins/history',
  '/images',
  '/imports',
  '/exports',
  '/trash',
  '/users',
  '/users/new',
  '/roles',
  '/roles?view=roles',
  '/roles/VIEWER',
  '/mail',
  '/webhooks',
  '/api-keys',
  '/audit',
  '/api-docs',
  '/settings',
  '/settings/mails',
  '/settings/servers',
  '/profile',
  '/entities/EngineAuditLog',
]

/** Pages for people who are not signed in. */
export const OPEN = [
  '/login',
  '/forgot-password',
  '/activate',
  '/reset-password',
  '/register/confirm',
  '/api-docs',
  '/api-docs#searchRecords',
]

/** Pages of single objects, of any content. */
export async function detailPages(api: APIRequestContext): Promise<string[]> {
  const first = async (path: string) => (await (await api.get(path)).json()).data[0]
  const user = await first('/api/users')
  const failed = await first('/api/plugins/history?filter=status:eq:PARTIAL')
  return [
    '/entities/Airport',
    '/entities/Airport/definition',
    '/entities/Airport/definition/edit',
    '/entities/Country?record=DE',
    '/entities/Country?record=DE&edit=true',
    '/entities/Airport?create=true',
    '/entities/Airport?display=map',
    '/entities/Airport?as=role:VIEWER',
    '/roles/EDITOR?entity=Airport&action=read',
    '/entities/Ware?display=cards',
    '/entities/Ware?display=calendar&month=2026-03',
    '/entities/Ware?record=a',
    '/entities/Ware?record=a&edit=true',
    '/entities/Airport?filter=[{"field":"name","operator":"eq","value":"nowhere"}]',
    '/entities/Airport?filter=[{"field":"nome","operator":"eq","value":"a"}]',
    `/plugins/history/${failed.id}`,
    '/plugins/com.ourairports.world-airports',
    '/plugins/local.model',
    '/api-docs#searchAirportRecords',
    `/users/${user.userId}`,
    '/no/such/page',
  ]
}
