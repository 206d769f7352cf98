import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundleScript } from '@/lib/testing/bundle-script'
import type { Command } from '@/lib/testing/credential-child'
import { testsOnPostgres } from '@/lib/testing/deps'
import { EngineProcess, type Home, makeHome } from '@/lib/testing/engine-process'

const ADD_TOTP = `insert into engine.totp_factors (user_id, secret, last_step)
  select user_id, 'sealed', 0 from engine.sessions on conflict do nothing`

describe.runIf(testsOnPostgres())('a credential that one process uses and another changes', () => {
  let home: Home
  let [one, other]: EngineProcess[] = []
  beforeAll(async () => {
    const bundle = await bundleScript('lib/testing/credential-child.ts')
    home = await makeHome()
    one = await EngineProcess.start(bundle, home)
    other = await EngineProcess.start(bundle, home)
  })
  afterAll(async () => {
    await Promise.all([one?.kill(), other?.kill()])
    await home?.remove()
  })

  const ask = <Reply>(process: EngineProcess | undefined, command: Command) =>
    (process as EngineProcess).ask<Reply>(command)
  const use = (key: string) => ask(one, { name: 'authenticate', key })
  const makeKey = async (...roles: string[]) => {
    const key = await ask<string>(other, { name: 'make key', roles })
    expect(await use(key)).toMatchObject({ roles, policies: [] })
    return key
  }
  const change = (text: string) => ask(other, { name: 'sql', text })

  // Polled for a second, a fifth of the time after which it would be read again without a message.
  test.each([
    ['revoked', 'update engine.api_keys set revoked_at = now()'],
    ['expired', "update engine.api_keys set expires_at = now() - interval '1 s'"],
    ['disabled', "update engine.users set status = 'DISABLED'"],
    ['removed', 'delete from engine.users'],
  ])('is refused when it is %s', async (_, text) => {
    const key = await makeKey('ADMIN')
    await change(text)
    await expect.poll(() => use(key)).toBe('refused')
  })

  test.each([
    ['ended', 'delete from engine.sessions'],
    ['one without the second factor that its user has', ADD_TOTP],
  ])('that is a session is refused when it is %s', async (_, text) => {
    const cookie = await ask<string>(other, { name: 'begin session', roles: ['ADMIN'] })
    const useIt = () => ask(one, { name: 'authenticate', cookie })
    expect(await useIt()).toMatchObject({ roles: ['ADMIN'], mustSetUpSecondFactor: false })
    await change("insert into engine.second_factor_roles (role) values ('admin')")
    await expect.poll(useIt).toMatchObject({ mustSetUpSecondFactor: true })
    await change('delete from engine.second_factor_roles')
    await expect.poll(useIt).toMatchObject({ mustSetUpSecondFactor: false })
    await change(text)
    await expect.poll(useIt).toBe('refused')
  })

  test('has the rights of a demotion and of a policy', async () => {
    const key = await makeKey('ADMIN')
    await change("update engine.users set roles = '{EDITOR}'")
    await expect.poll(() => use(key)).toMatchObject({ roles: ['EDITOR'] })
    await change(`insert into engine.policies (name, definition, principals, entities, actions, allow, priority)
      values ('a', '{}', '{*}', '{*}', '{write}', false, 0)`)
    const policies = [{ entities: ['*'], actions: ['write'], allow: false }]
    await expect.poll(() => use(key)).toMatchObject({ policies })
    await change('delete from engine.policies')
    await expect.poll(() => use(key)).toMatchObject({ policies: [] })
  })

  test('is refused after five seconds when every message is lost', async () => {
    await ask(one, { name: 'deafen' })
    const key = await makeKey('ADMIN')
    await change('update engine.api_keys set revoked_at = now()')
    expect(await use(key)).toMatchObject({ roles: ['ADMIN'] })
    await ask(one, { name: 'advance clock', ms: 5_000 })
    expect(await use(key)).toBe('refused')
  })
})
