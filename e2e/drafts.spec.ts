import type { APIRequestContext, Page } from '@playwright/test'
import { installBooks, totalOf } from './books'
import { expect, expectAccessible, test } from './fixtures'
import { makePerson, PASSWORD, signedIn } from './people'
import { BASE_URL } from './server-settings'

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard unsaved changes?' })
const keep = (page: Page) => question(page).getByRole('button', { name: 'Keep editing' }).click()
const discard = (page: Page) =>
  question(page).getByRole('button', { name: 'Discard changes' }).click()

const titled = (api: APIRequestContext, entity: string, title: string) =>
  totalOf(api, entity, [{ field: 'title', operator: 'eq', value: title }])

test('a form asks on Esc, outside, close, Back and links, and says what is unsaved', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Asked')
  await admin.goto('/entities/Asked')
  await admin.getByRole('button', { name: 'Create' }).click()
  const panel = admin.getByRole('dialog', { name: 'New asked' })
  const title = panel.getByRole('textbox', { name: 'title' })
  await expect(title).toBeFocused()
  await admin.keyboard.press('Escape')
  await expect(panel).toBeHidden()

  await admin.getByRole('button', { name: 'Create' }).click()
  await title.fill('Half a title')
  await admin.keyboard.press('Escape')
  await expect(question(admin)).toContainText('New asked is not saved yet.')
  await expect(question(admin).getByRole('button', { name: 'Keep editing' })).toBeFocused()
  await expectAccessible(admin)
  await admin.keyboard.press('Escape')
  await expect(question(admin)).toBeHidden()
  await expect(title).toBeFocused()

  await admin.mouse.click(20, 400)
  await keep(admin)
  await panel.getByRole('button', { name: 'Close' }).click()
  await keep(admin)
  await panel.getByRole('tab', { name: 'JSON' }).click()
  await keep(admin)
  await admin.goBack()
  await keep(admin)
  await expect(admin).toHaveURL(/create=true/)
  await expect(title).toHaveValue('Half a title')

  await admin.goBack()
  await discard(admin)
  await expect(panel).toBeHidden()
  await expect(admin).toHaveURL(/\/entities\/Asked$/)
  await admin.goForward()
  await expect(title).toHaveValue('')
  await expect(admin.getByText('restored')).toHaveCount(0)
  expect(await totalOf(api, 'Asked')).toBe(150)
})

test('links, the palette and the keys ask before they leave a form on a page', async ({
  admin,
}) => {
  await admin.goto('/users')
  await admin.getByRole('link', { name: 'New user' }).first().click()
  const email = admin.getByRole('textbox', { name: 'Email' })
  await email.fill('half@example.com')
  await admin.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Mail' }).click()
  await expect(question(admin)).toContainText('The new user is not created yet.')
  await keep(admin)
  await admin.keyboard.press('Control+k')
  await admin.getByRole('option', { name: 'Settings' }).click()
  await keep(admin)
  await admin.getByRole('heading', { name: 'New user' }).click()
  await admin.keyboard.press('g')
  await admin.keyboard.press('i')
  await keep(admin)
  await admin.goBack()
  await keep(admin)
  await expect(admin).toHaveURL(/\/users\/new$/)
  await expect(email).toHaveValue('half@example.com')
  await admin.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Mail' }).click()
  await discard(admin)
  await expect(admin).toHaveURL(/\/mail$/)
})

test('the browser asks before a reload; afterwards the draft is there, but no password', async ({
  admin,
  api,
}) => {
  await admin.goto('/users/new')
  const email = `drafted-${Date.now().toString(36)}@example.com`
  await admin.getByRole('textbox', { name: 'Email' }).fill(email)
  await admin.getByText('Set a password').click()
  await admin.getByLabel('Their password').fill(PASSWORD)
  const asked = admin.waitForEvent('dialog')
  const reloaded = admin.reload()
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.accept()
  await reloaded

  await expect(admin.getByText('Draft from a moment ago restored')).toBeVisible()
  await expect(admin.getByRole('textbox', { name: 'Email' })).toHaveValue(email)
  await expect(admin.getByLabel('Their password')).toHaveValue('')
  expect(await admin.evaluate(() => JSON.stringify(localStorage))).not.toContain(PASSWORD)
  await expectAccessible(admin)
  await admin.getByLabel('Their password').fill(PASSWORD)
  await admin.getByRole('checkbox', { name: 'Viewer' }).check()
  await admin.getByRole('button', { name: 'Create user' }).click()
  await expect(admin.getByRole('dialog')).toContainText(email)
  const found = await api.get(`/api/users?filter=email:eq:${email}`)
  expect((await found.json()).data).toMatchObject([{ email, roles: ['VIEWER'] }])
  await admin.goto('/users/new')
  await expect(admin.getByRole('textbox', { name: 'Email' })).toHaveValue('')
})

test('a draft is shown over the present state of a record that has changed since', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Stale')
  await admin.goto('/entities/Stale?record=1&edit=true')
  const panel = admin.getByRole('dialog')
  await panel.getByRole('textbox', { name: 'title' }).fill('My title')
  await api.patch('/api/entities/Stale/1', { data: { title: 'Their title', pages: 999 } })
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText('Someone else changed this record')).toBeVisible()
  await expect(panel.getByText('Your changes are kept here')).toBeVisible()
  await panel.getByRole('button', { name: 'Compare' }).click()
  await expect(panel.getByText('What is stored has changed since.')).toBeVisible()
  const differing = panel.getByRole('region', { name: 'Fields that differ' })
  await expect(differing.getByRole('deletion')).toHaveText('stored: Their title')
  await expect(differing.getByRole('insertion')).toHaveText('yours: My title')
  await expect(differing.getByRole('term')).toHaveCount(1)
  await expect(panel.getByRole('textbox', { name: 'title' })).toHaveValue('My title')
  await expect(panel.getByRole('textbox', { name: 'pages' })).toHaveValue('999')
  await expectAccessible(admin)
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText('Saved')).toBeVisible()
  const [record] = (await (await api.get('/api/entities/Stale/1')).json()).data
  expect(record).toMatchObject({ title: 'My title', pages: 999 })

  await panel.getByRole('button', { name: 'Edit' }).click()
  await panel.getByRole('textbox', { name: 'title' }).fill('Another')
  // The form is there before the address says so.
  await expect(admin).toHaveURL(/edit=true/)
  await admin.reload()
  await panel.getByRole('button', { name: 'Discard draft' }).click()
  await expect(panel.getByRole('textbox', { name: 'title' })).toHaveValue('My title')
  await admin.keyboard.press('Escape')
  await expect(panel.getByRole('button', { name: 'Edit' })).toBeVisible()
})

test('JSON is kept too: what it changes, also over a later state, and what is no JSON yet', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Coded')
  await admin.goto('/entities/Coded?record=1&edit=true')
  const panel = admin.getByRole('dialog')
  const json = panel.getByRole('textbox', { name: 'Record' })
  await panel.getByRole('tab', { name: 'JSON' }).click()
  await json.fill((await json.inputValue()).replace('Book 000', 'Coded title'))
  await api.patch('/api/entities/Coded/1', { data: { pages: 998 } })
  await admin.reload()
  await expect(panel.getByText('What is stored has changed since.')).toBeVisible()
  await expect(json).toHaveValue(/"title": "Coded title"/)
  await expect(json).toHaveValue(/"pages": 998/)
  await expectAccessible(admin)
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText('Saved')).toBeVisible()
  const [record] = (await (await api.get('/api/entities/Coded/1')).json()).data
  expect(record).toMatchObject({ title: 'Coded title', pages: 998 })

  await admin.goto('/entities/Coded?create=true')
  await panel.getByRole('tab', { name: 'JSON' }).click()
  await json.fill('{ "title": "Not yet')
  await admin.keyboard.press('Escape')
  await keep(admin)
  await admin.reload()
  await expect(panel.getByText('Draft from a moment ago restored')).toBeVisible()
  await expect(json).toHaveValue('{ "title": "Not yet')
  await panel.getByRole('button', { name: 'Create' }).click()
  await expect(panel.getByText('Not valid JSON', { exact: false })).toBeVisible()
  await json.fill('{ "title": "Not yet" }')
  await panel.getByRole('button', { name: 'Create' }).click()
  await expect.poll(() => titled(api, 'Coded', 'Not yet')).toBe(1)
  await admin.goto('/entities/Coded?create=true')
  await expect(panel.getByText('restored')).toHaveCount(0)
})

test('after a revoked session signing in happens over the form, and the save goes on', async ({
  browser,
  api,
}) => {
  await installBooks(api, 'Resumed')
  const [ann, bob] = [await makePerson(api, 'ann'), await makePerson(api, 'bob')]
  const page = await signedIn(browser, ann.email)
  await page.goto('/entities/Resumed?create=true')
  const panel = page.getByRole('dialog', { name: 'New resumed' })
  const title = panel.getByRole('textbox', { name: 'title' })
  await title.fill('Kept through it')
  await api.delete(`/api/users/${ann.userId}/sessions`)
  await panel.getByRole('button', { name: 'Create' }).click()
  const signIn = page.getByRole('dialog', { name: 'Sign in to continue' })
  await expect(signIn.getByLabel('Password')).toBeFocused()
  await expect(signIn.getByLabel('Email')).toHaveValue(ann.email)
  await expectAccessible(page)
  for (let step = 0; step < 8; step++) {
    await page.keyboard.press('Tab')
    await expect(signIn.locator(':focus')).toHaveCount(1)
  }
  await signIn.getByLabel('Password').fill('not my password')
  await page.keyboard.press('Enter')
  await expect(signIn.getByRole('alert')).toBeVisible()
  await signIn.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(signIn).toBeHidden()
  await expect.poll(() => titled(api, 'Resumed', 'Kept through it')).toBe(1)

  // Somebody else signs in: nothing is sent as them, and the draft waits for the first.
  await page.goto('/entities/Resumed?create=true')
  await title.fill('Ann typed this')
  await page.context().clearCookies()
  await panel.getByRole('button', { name: 'Create' }).click()
  await expect(signIn.getByLabel('Password')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(signIn).toBeHidden()
  await expect(title).toHaveValue('Ann typed this')
  await panel.getByRole('button', { name: 'Create' }).click()
  await signIn.getByLabel('Email').fill(bob.email)
  await signIn.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  const account = { name: `Account ${bob.email}`, includeHidden: true }
  await expect(page.getByRole('button', account)).toBeAttached()
  await expect(title).toHaveValue('')
  expect(await titled(api, 'Resumed', 'Ann typed this')).toBe(0)
  expect(await page.evaluate(() => JSON.stringify(localStorage))).toContain('Ann typed this')
  await page.context().close()
})

test('signing out asks, and takes the drafts along', async ({ browser, api }) => {
  const eve = await makePerson(api, 'eve')
  const page = await signedIn(browser, eve.email)
  await page.goto('/users/new')
  await page.getByRole('textbox', { name: 'Email' }).fill('draft@example.com')
  await page.getByRole('button', { name: /^Account / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await discard(page)
  await expect(page).toHaveURL(/\/login/)
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('draft@example')
  await page.context().close()
})

test('a record and a user are made and changed by keyboard, faults first', async ({
  admin,
  api,
}) => {
  await installBooks(api, 'Typist')
  const { keyboard } = admin
  await admin.goto('/entities/Typist')
  await admin.getByRole('button', { name: 'Create' }).focus()
  await keyboard.press('Enter')
  const panel = admin.getByRole('dialog')
  const title = panel.getByRole('textbox', { name: 'title' })
  await expect(title).toBeFocused()
  await keyboard.press('Enter')
  await expect(panel.getByText('Enter a value')).toBeVisible()
  await expect(title).toBeFocused()
  await keyboard.type('By hand')
  await expect(panel.getByText('Enter a value')).toBeHidden()
  const pages = panel.getByRole('textbox', { name: 'pages' })
  for (let step = 0; step < 4 && !(await pages.evaluate((it) => it.matches(':focus'))); step++)
    await keyboard.press('Tab')
  await keyboard.type('0')
  await keyboard.press('Enter')
  await expect(panel.getByText('must be at least 1')).toBeVisible()
  await expect(pages).toBeFocused()
  await keyboard.press('Backspace')
  await keyboard.type('12')
  await expect(panel.getByText('must be at least 1')).toBeHidden()
  await keyboard.press('Enter')
  await expect(panel.getByText('By hand').first()).toBeVisible()
  const query = [{ field: 'title', operator: 'eq', value: 'By hand' }]
  const made = await api.post('/api/entities/Typist/search', { data: { query } })
  expect((await made.json()).data).toMatchObject([{ pages: 12 }])
  await panel.getByRole('button', { name: 'Edit' }).focus()
  await keyboard.press('Enter')
  await expect(title).toBeFocused()
  await keyboard.press('End')
  await keyboard.type(', twice')
  await keyboard.press('Enter')
  await expect.poll(() => titled(api, 'Typist', 'By hand, twice')).toBe(1)

  const email = `keyed-${Date.now().toString(36)}@example.com`
  await admin.goto('/users/new')
  const address = admin.getByRole('textbox', { name: 'Email' })
  await address.focus()
  await keyboard.type('no address')
  await keyboard.press('Enter')
  await expect(admin.getByText('This is not an email address')).toBeVisible()
  await expect(address).toBeFocused()
  await keyboard.press('Control+a')
  await keyboard.type(email)
  await expect(admin.getByText('This is not an email address')).toBeHidden()
  const viewer = admin.getByRole('checkbox', { name: 'Viewer' })
  for (let step = 0; step < 8 && !(await viewer.evaluate((it) => it.matches(':focus'))); step++)
    await keyboard.press('Tab')
  await keyboard.press('Space')
  await address.focus()
  await keyboard.press('Enter')
  await expect(admin.getByRole('dialog')).toContainText(email)
  const found = await api.get(`/api/users?filter=email:eq:${email}`)
  expect((await found.json()).data).toMatchObject([{ roles: ['VIEWER'] }])
})

test('the key that is shown once stays until its button is pressed; owners are listed', async ({
  admin,
  request,
}) => {
  const name = `shown-${Date.now().toString(36)}`
  await admin.goto('/users')
  const nav = admin.getByRole('navigation', { name: 'Main' })
  await nav.getByRole('link', { name: 'API keys' }).click()
  await admin.getByRole('button', { name: 'New key' }).first().click()
  await admin.getByRole('textbox', { name: 'Name' }).fill(name)
  await admin.getByRole('radio', { name: /^All of your rights/ }).click()
  await admin.getByRole('button', { name: 'Create key' }).click()
  const shown = admin.getByRole('dialog', { name: `API key “${name}”` })
  const key = shown.getByText(/^eng_/)
  await expect(key).toBeVisible()
  await admin.keyboard.press('Escape')
  await admin.mouse.click(10, 10)
  await admin.goBack()
  const warning = admin.getByRole('alertdialog', { name: 'Leave without the key?' })
  await warning.getByRole('button', { name: 'Stay' }).click()
  const headers = { Authorization: `Bearer ${await key.innerText()}` }
  expect((await request.get(`${BASE_URL}/api/users/me`, { headers })).status()).toBe(200)
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await expect(shown).toBeHidden()
  await expect(admin.getByRole('row').filter({ hasText: name })).toContainText('admin@example.com')
})
