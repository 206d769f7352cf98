import { queryOptions } from '@tanstack/react-query'
import { api, apiItem } from '@/lib/http/client'
import { itemOptions } from '@/lib/query/item-options'
import type { AddedFactor, SecondFactors, TotpSetup } from '@/lib/second-factors/contract'
import type { Session } from '@/lib/users/session-contract'

const BASE = '/api/users/me/second-factors'
const SESSIONS = '/api/users/me/sessions'

export const factorsOptions = itemOptions<SecondFactors>(['second-factors'], BASE)

export const sessionsOptions = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await api<Session>(SESSIONS, { signal })).data,
})

export const readFactors = () => apiItem<SecondFactors>(BASE)

export const beginTotp = () => apiItem<TotpSetup>(`${BASE}/totp`, { method: 'POST' })

export const finishTotp = (body: { setupId: string; code: string }) =>
  apiItem<AddedFactor>(`${BASE}/totp/confirm`, { method: 'POST', body })

export const removeTotp = () => api(`${BASE}/totp`, { method: 'DELETE' })

export const renewRecoveryCodes = async () =>
  (await apiItem<{ recoveryCodes: string[] }>(`${BASE}/recovery-codes`, { method: 'POST' }))
    .recoveryCodes

export const offerPasskey = () => apiItem<Challenge>(`${BASE}/passkeys/options`, { method: 'POST' })

export const addPasskey = (body: { challengeId: string; name: string; response: unknown }) =>
  apiItem<AddedFactor>(`${BASE}/passkeys`, { method: 'POST', body })

export const renamePasskey = (id: string, name: string) =>
  api(`${BASE}/passkeys/${id}`, { method: 'PATCH', body: { name } })

export const removePasskey = (id: string) => api(`${BASE}/passkeys/${id}`, { method: 'DELETE' })

export const confirmIdentity = (body: object) =>
  api(`${BASE}/confirmation`, { method: 'POST', body })

export const endSession = (id: string) => api(`${SESSIONS}/${id}`, { method: 'DELETE' })
export const endOtherSessions = () => api(SESSIONS, { method: 'DELETE' })

/** `options` are in the JSON of WebAuthn. */
type Challenge = { challengeId: string; options: object }
