import type { JsonObject } from '@/lib/values/json'

/** A condition as bodies and policies write it. */
export type Condition =
  | { field: string; operator: string; value?: unknown }
  | { operator: string; filters: Condition[] }

/** As `EnginePolicies` and `POST /api/policies` have it. */
export type Policy = {
  name: string
  principals: string[]
  entities: string[]
  actions: string[]
  allow: boolean
  where?: Condition[]
  fields?: string[] | { except: string[] }
  set?: JsonObject
  check?: Condition[]
  /** For a caller: it lacks a value that `check` asks for. */
  isCheckVoid?: boolean
}

/** Who sends a request, as the model and the test know it. */
export type TaintActor = {
  name: string
  /** `key`: acts as its user. `role key`: has roles of its own. `session`: a user by a cookie. */
  kind: 'key' | 'role key' | 'session' | 'guest'
  /** Null where nobody stands behind it. */
  userId: string | null
  roles: string[]
  scopes: string[] | null
  profile: JsonObject
  headers: Record<string, string>
}
