import type { APIRequestContext, Page } from '@playwright/test'
import { installBooks, totalOf } from './books'
import { expect, test } from './fixtures'
import { makePerson, PASSWORD, signedIn } from './people'

test.setTimeout(300_000)

type Form = {
  path: string
  /** Opens it, and types `text` into it. */
  type: (page: Page, text: string) => Promise<void>
  /** Presses its last button. */
  send: string | RegExp
  /** Shown once it was sent. */
  done: (page: Page, text: string, api: APIRequestContext) => Promise<void>
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first()

const shownText = async (page: Page, text: string) =>
  expect(page.getByText(text).first()).toBeVisible()

const stored = (_: Page, value: string, api: APIRequestContext) =>
  expect.poll(() => totalOf(api, 'Left', [{ field: 'title', operator: 'eq', value }])).toBe(1)

const FORMS: Record<string, Form> = {
  'a new record': {
    path: '/entities/Left?create=true',
    type: (page, text) => page.getByRole('dialog').getByRole('textbox').first().fill(text),
    send: 'Create',
    done: stored,
  },
  'a record': {
    path: '/entities/Left?record=3&edit=true',
    type: (page, text) => page.getByRole('dialog').getByRole('textbox').first().fill(text),
    send: 'Save',
    done: stored,
  },
  'a new user': {
    path: '/users/new',
    type: (page, text) =>
      page.getByRole('textbox', { name: 'Email' }).fill(`${text.replaceAll(' ', '-')}@example.com`),
    send: 'Create user',
    done: (page, text) => shownText(page, `${text.replaceAll(' ', '-')}@example.com`),
  },
  'a new key': {
    path: '/api-keys',
    type: async (page, text) => {
      await button(page, 'New key').click()
      await page.getByRole('textbox', { name: 'Name' }).fill(text)
      await page.getByRole('radio', { name: /^All of your rights/ }).click()
    },
    send: 'Create key',
    done: (page) => shownText(page, 'eng_'),
  },
  'a new role': {
    path: '/roles',
    type: async (page, text) => {
      await button(page, 'New role').click()
      await page.getByRole('dialog').getByRole('textbox').first().fill(text)
    },
    send: /^Create/,
    done: shownText,
  },
  'a new view': {
    path: '/entities/Left?sort=pages:desc',
    type: async (page, text) => {
      await button(page, 'Views').click()
      await page.getByRole('menuitem', { name: 'Save as a new view' }).click()
      await page.getByRole('dialog').getByRole('textbox').first().fill(text)
    },
    send: /^Save/,
    done: shownText,
  },
}

test('when the session ends while a form is filled in, signing in over it sends it', async ({
  browser,
  api,
}) => {
  await installBooks(api, 'Left')
  const ann = await makePerson(api, 'left')
  const page = await signedIn(browser, ann.email)
  const signIn = page.getByRole('dialog', { name: 'Sign in to continue' })
  for (const [name, { path, type, send, done }] of Object.entries(FORMS))
    await test.step(name, async () => {
      const text = `Kept ${name}`
      await page.goto(path)
      await type(page, text)
      await api.delete(`/api/users/${ann.userId}/sessions`)
      await button(page, send).click()
      await signIn.getByLabel('Password').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await expect(signIn).toBeHidden()
      await done(page, text, api)
    })
  await page.context().close()
})

test('two tabs that change one record lose nothing of what was typed', async ({ admin, api }) => {
  await installBooks(api, 'Twice')
  const other = await admin.context().newPage()
  const titleIn = (page: Page) => page.getByRole('dialog').getByRole('textbox', { name: 'Title' })
  for (const page of [admin, other]) await page.goto('/entities/Twice?record=2&edit=true')
  await titleIn(admin).fill('Typed in the first')
  await titleIn(other).fill('Typed in the second')
  await button(admin, 'Save').click()
  await expect(admin.getByText('Saved').first()).toBeVisible()
  await button(other, 'Save').click()
  await expect(other.getByText('Typed in the first').first()).toBeVisible()
  await expect(titleIn(other)).toHaveValue('Typed in the second')
  const [stored] = (await (await api.get('/api/entities/Twice/2')).json()).data
  expect(stored.title).toBe('Typed in the first')
  await other.close()
})

test('on a slow network a form is sent once, and says that it is', async ({ admin, api }) => {
  await installBooks(api, 'Slow')
  await admin.goto('/entities/Slow?create=true')
  const session = await admin.context().newCDPSession(admin)
  // What browsers call 3G.
  const throughput = (400 * 1024) / 8
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 400 },
    ...{ downloadThroughput: throughput, uploadThroughput: throughput },
  })
  const panel = admin.getByRole('dialog', { name: 'New slow' })
  await panel.getByRole('textbox', { name: 'Title' }).fill('Sent once')
  const create = panel.getByRole('button', { name: /^Creat/ })
  await create.dblclick()
  await expect(create).toBeDisabled()
  await expect(admin.getByText('Sent once').first()).toBeVisible({ timeout: 60_000 })
  const sent = { field: 'title', operator: 'eq', value: 'Sent once' }
  expect(await totalOf(api, 'Slow', [sent])).toBe(1)
})
