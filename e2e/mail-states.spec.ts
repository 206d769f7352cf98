import { type FakeResend, startFakeResend } from '../lib/testing/fake-resend'
import { expect, expectAccessible, test } from './fixtures'
import { startOwnServer } from './own-server'
import { ADMIN, API_KEY, ownPort } from './server-settings'

const unique = (name: string) => `${name}-${Date.now().toString(36)}@example.com`

test('without a provider a mail is kept, everywhere, and its link is there to copy', async ({
  admin,
  api,
  visitor,
}) => {
  const email = unique('eve')
  await admin.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await admin.goto('/users/new')
  await expect(admin.getByText('No mail provider is configured')).toBeVisible()
  await admin.getByRole('textbox', { name: 'Email' }).fill(email)
  await admin.getByRole('checkbox', { name: 'Viewer' }).check()
  await admin.getByRole('button', { name: 'Create user' }).click()
  const created = admin.getByRole('dialog', { name: `${email} is created` })
  await expect(created.getByText('The activation mail is kept in the outbox')).toBeVisible()
  await expectAccessible(admin)
  await created.getByRole('button', { name: 'Copy link' }).click()
  const copied = () => admin.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toContain('/activate?token=')
  const link = await copied()

  const [mail] = (await (await api.get(`/api/mails?filter=to:eq:${email}`)).json()).data
  const [stored] = (await (await api.get(`/api/mails/${mail.id}`)).json()).data
  expect(stored).toMatchObject({ status: 'queued', attempts: 0, nextAttemptAt: null })
  expect(stored.content.text).toContain(link)

  await created.getByRole('button', { name: 'Go to the user' }).click()
  await expect(admin.getByRole('heading', { name: email })).toBeVisible()
  await expect(admin.getByText('The activation mail is kept in the outbox')).toBeVisible()
  await expect(admin.getByText(/^Mail “.*” kept in the outbox$/)).toBeVisible()
  await admin.evaluate(() => navigator.clipboard.writeText(''))
  await admin.getByRole('button', { name: 'Copy activation link' }).click()
  await expect.poll(copied).toBe(link)
  await expectAccessible(admin)

  for (const path of ['/users', '/mail']) {
    await admin.goto(path)
    await admin.getByRole('searchbox').first().fill(email)
    await expect(admin.getByRole('row')).toHaveCount(2)
    await expect(admin.getByRole('row').nth(1)).toContainText('Kept in the outbox')
  }
  await admin.goto(`/mail?mail=${mail.id}`)
  const panel = admin.getByRole('dialog')
  await expect(panel.getByText('Kept in the outbox').first()).toBeVisible()
  await expect(panel.getByRole('button', { name: /^Send/ })).toHaveCount(0)
  const refused = await api.post(`/api/mails/${mail.id}/retry`)
  expect(refused.status()).toBe(409)
  expect((await refused.json()).error).toContain('kept in the outbox')

  await admin.goto('/')
  await expect(admin.getByText(/^\d+ mails? kept in the outbox$/)).toBeVisible()
  await admin.goto('/audit?q=users.create')
  await admin.getByRole('row').nth(1).getByRole('button').first().click()
  await expect(admin.getByRole('dialog')).toContainText(
    'Kept in the outbox: no mail provider was set',
  )

  await visitor.goto(link)
  await visitor.getByRole('button', { name: 'Activate account' }).click()
  await expect(visitor.getByText('Your account is active')).toBeVisible()
  const [user] = (await (await api.get(`/api/users?filter=email:eq:${email}`)).json()).data
  expect(user.status).toBe('ACTIVATED')
})

test.describe('with a provider', () => {
  const PORT = ownPort(3)
  let resend: FakeResend
  let server: Awaited<ReturnType<typeof startOwnServer>>

  test.beforeAll(async () => {
    resend = await startFakeResend()
    server = await startOwnServer(PORT, {
      RESEND_API_KEY: 're_test',
      RESEND_BASE_URL: resend.url,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      BOOTSTRAP_API_KEY: API_KEY,
    })
  })
  test.afterAll(async () => {
    await server?.stop()
    await resend?.close()
  })

  test('a mail is sent, or failed with the reason and can be sent again', async ({ browser }) => {
    const context = await browser.newContext({ baseURL: server.url })
    const page = await context.newPage()
    const headers = { Authorization: `Bearer ${API_KEY}` }
    const get = async (path: string) =>
      (await (await page.request.get(server.url + path, { headers })).json()).data
    await page.goto('/login')
    await page.getByLabel('Email').fill(ADMIN.email)
    await page.getByLabel('Password').fill(ADMIN.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('button', { name: /^Account / })).toBeVisible()

    resend.behaviours.push({ status: 422, name: 'validation_error', message: 'No such mailbox' })
    const email = unique('fay')
    await page.goto('/users/new')
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByRole('checkbox', { name: 'Viewer' }).check()
    await expect(page.getByText(`A mail is sent to ${email}`)).toBeVisible()
    await page.getByRole('button', { name: 'Create user' }).click()
    await expect(page.getByRole('heading', { name: email })).toBeVisible()
    await expect
      .poll(async () => (await get(`/api/mails?filter=to:eq:${email}`))[0]?.status)
      .toBe('failed')
    await page.reload()
    await expect(page.getByText('The activation mail could not be sent')).toBeVisible()
    await expect(page.getByText('No such mailbox').first()).toBeVisible()
    await expectAccessible(page)

    const [{ id }] = await get(`/api/mails?filter=to:eq:${email}`)
    await page.goto(`/mail?mail=${id}`)
    const panel = page.getByRole('dialog')
    await expect(panel.getByText('Failed')).toBeVisible()
    await expect(panel.getByText('No such mailbox')).toBeVisible()
    await panel.getByRole('button', { name: 'Send again' }).click()
    await expect.poll(async () => (await get(`/api/mails/${id}`))[0].status).toBe('sent')
    expect([...resend.delivered.values()].flatMap(({ mail }) => mail.to)).toEqual([email])
    await page.reload()
    await expect(panel.getByText('Sent', { exact: true }).first()).toBeVisible()
    await expect(panel.getByText('Failed')).toHaveCount(0)
    await expect(panel.getByRole('button', { name: /^Send/ })).toHaveCount(0)
    await context.close()
  })
})
