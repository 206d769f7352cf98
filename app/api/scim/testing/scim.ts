import { generateScimToken } from '@/lib/auth/scim-token'
import { scimTokens, users } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import type { Handler } from '@/lib/http/route'
import { call } from '@/lib/testing/request'
import * as group from '../v2/Groups/[id]/route'
import * as groups from '../v2/Groups/route'
import * as user from '../v2/Users/[id]/route'
import * as users_ from '../v2/Users/route'

const ROUTES: Record<string, Record<string, Handler>> = {
  Users: users_,
  'Users/': user,
  Groups: groups,
  'Groups/': group,
}

export type ScimResponse = Awaited<ReturnType<typeof call>>

/** The identity provider: sends what it does to the real handlers. */
export class ScimClient {
  private constructor(
    readonly deps: Deps,
    readonly token: string,
  ) {}

  static async start(deps: Deps): Promise<ScimClient> {
    const { token, prefix, hash } = generateScimToken()
    await deps.db.insert(scimTokens).values({ prefix, hash, createdBy: 'test' })
    return new ScimClient(deps, token)
  }

  /** `path` such as `Users/7?attributes=id`. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ScimResponse> {
    const [target = ''] = path.split('?')
    const [type = '', id] = target.split('/')
    const handler = ROUTES[id === undefined ? type : `${type}/`]?.[method] as Handler
    return call(this.deps, handler, {
      ...{ method, path: `/api/scim/v2/${path}`, params: id === undefined ? {} : { id } },
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: {
        authorization: `Bearer ${this.token}`,
        'content-type': 'application/scim+json',
        ...headers,
      },
    })
  }

  async createUser(userName: string, more: object = {}): Promise<string> {
    const made = await this.send('POST', 'Users', { schemas: [USER], userName, ...more })
    if (made.status !== 201) throw new Error(made.text)
    return made.body.id
  }

  async createGroup(displayName: string, members: string[] = []): Promise<string> {
    const values = members.map((value) => ({ value }))
    const made = await this.send('POST', 'Groups', {
      schemas: [GROUP],
      displayName,
      members: values,
    })
    if (made.status !== 201) throw new Error(made.text)
    return made.body.id
  }

  patch(path: string, Operations: object[], headers?: Record<string, string>) {
    return this.send('PATCH', path, { schemas: [PATCH], Operations }, headers)
  }

  find(type: 'Users' | 'Groups', filter: string, more = '') {
    return this.send('GET', `${type}?filter=${encodeURIComponent(filter)}${more}`)
  }
}

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** An account that was made by hand. */
export async function addAccount(
  { db }: Deps,
  email: string,
  more: Partial<typeof users.$inferInsert> = {},
): Promise<string> {
  const id = crypto.randomUUID()
  await db.insert(users).values({ id, email, roles: [], status: 'ACTIVATED', ...more })
  return id
}
