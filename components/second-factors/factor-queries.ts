import { queryOptions } from '@tanstack/react-query'
import { api } from '@/lib/http/client'
import type { AddedFactor, SecondFactors, TotpSetup } from '@/lib/second-factors/contract'
import type { Session } from '@/lib/users/session-contract'

const BASE = '/api/users/me/second-factors'
const SESSIONS = '/api/users/me/sessions'

export const factorsOptions = queryOptions({
  queryKey: ['second-factors'],
  queryFn: async ({ signal }) => first((await api<SecondFactors>(BASE, { signal })).data),
})

export const sessionsOptions = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await api<Session>(SESSIONS, { signal })).data,
})

export const beginTotp = async () =>
  first((await api<TotpSetup>(`${BASE}/totp`, { method: 'POST' })).data)

export const finishTotp = async (body: { setupId: string; code: string }) =>
  first((await api<AddedFactor>(`${BASE}/totp/confirm`, { method: 'POST', body })).data)

export const removeTotp = () => api(`${BASE}/totp`, { method: 'DELETE' })

export const renewRecoveryCodes = async () => {
  const { data } = await api<{ recoveryCodes: string[] }>(`${BASE}/recovery-codes`, {
    method: 'POST',
  })
  return first(data).recoveryCodes
}

export const offerPasskey = async () =>
  first((await api<Challenge>(`${BASE}/passkeys/options`, { method: 'POST' })).data)

export const addPasskey = async (body: { challengeId: string; name: string; response: unknown }) =>
  first((await api<AddedFactor>(`${BASE}/passkeys`, { method: 'POST', body })).data)

export const renamePasskey = (id: string, name: string) =>
  api(`${BASE}/passkeys/${id}`, { method: 'PATCH', body: { name } })

export const removePasskey = (id: string) => api(`${BASE}/passkeys/${id}`, { method: 'DELETE' })

export const confirmIdentity = (body: object) =>
  api(`${BASE}/confirmation`, { method: 'POST', body })

export const endSession = (id: string) => api(`${SESSIONS}/${id}`, { method: 'DELETE' })
export const endOtherSessions = () => api(SESSIONS, { method: 'DELETE' })

/** `options` are in the JSON of WebAuthn. */
type Challenge = { challengeId: string; options: object }

function first<T>([item]: T[]): T {
  if (item === undefined) throw new Error('The server returned nothing')
  return item
}
