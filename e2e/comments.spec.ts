import type { APIRequestContext, Locator, Page } from '@playwright/test'
import JSZip from 'jszip'
import { expect, expectAccessible, test } from './fixtures'
import { ADMIN } from './server-settings'
import { signedIn, statusOf } from './signed-in'

/** `name` with a record `1`. */
async function install(api: APIRequestContext, name: string): Promise<void> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `test.${name}`, name: `Shop of ${name}`, version: '1.0.0' })
  for (const target of ['EngineSchemas', 'EngineEntities', name])
    put(`${target}/__manifest__.json`, { target })
  put(`EngineSchemas/${name}.json`, { name, properties: [{ name: 'title', type: 'string' }] })
  put(`EngineEntities/${name}.json`, { name })
  put(`${name}/data.json`, [{ id: 1, title: 'Boot' }])
  const file = {
    name: 'remarks.zip',
    mimeType: 'application/zip',
    buffer: await zip.generateAsync({ type: 'nodebuffer' }),
  }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data.failedCount).toBe(0)
}

const openComments = async (page: Page, name: string): Promise<Locator> => {
  await page.goto(`/entities/${name}?record=1&tab=comments`)
  await expect(page.getByRole('tab', { name: 'Comments', selected: true })).toBeVisible()
  return page.getByRole('list', { name: 'Comments', exact: true })
}

const newComment = (page: Page) => page.getByRole('textbox', { name: 'New comment' })

const mailsTo = async (api: APIRequestContext, email: string) => {
  const filter = encodeURIComponent(`to:eq:${email}`)
  const found = await (await api.get(`/api/entities/EngineEmails?filter=${filter}`)).json()
  return (found.data as { template: string; subject: string }[]).filter(
    ({ template }) => template === 'mention',
  )
}

test('a comment is written, mentions somebody, is answered, changed and deleted', async ({
  admin,
  api,
  browser,
}) => {
  await install(api, 'Remarked')
  const bob = await signedIn(browser, api, ['VIEWER'])
  const list = await openComments(admin, 'Remarked')
  await expect(admin.getByText('No comments yet')).toBeVisible()
  await expectAccessible(admin)

  const text = newComment(admin)
  await text.fill(`Has the customer paid? @${bob.email.slice(0, 12)}`)
  const people = admin.getByRole('listbox', { name: 'People to mention' })
  await expect(people.getByRole('option', { selected: true })).toHaveText(bob.email)
  await expectAccessible(admin)
  await text.press('Enter')
  await expect(people).toBeHidden()
  await expect(text).toHaveValue(`Has the customer paid? @${bob.email} `)
  await admin.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list).toContainText(ADMIN.email)
  await expect(text).toHaveValue('')
  await expect(admin.getByRole('tab', { name: /^Comments\s*1$/ })).toBeVisible()
  await expect.poll(() => mailsTo(api, bob.email)).toHaveLength(1)

  const seen = await openComments(bob.page, 'Remarked')
  await expect(seen.getByRole('listitem')).toContainText('Has the customer paid?')
  await expect(seen.getByRole('button', { name: 'Delete comment' })).toHaveCount(0)
  await newComment(bob.page).fill('Yes, <b>yesterday</b>')
  await newComment(bob.page).press('Control+Enter')
  await expect(seen.getByRole('listitem').nth(1)).toContainText('Yes, <b>yesterday</b>')
  await bob.page.context().close()

  await admin.reload()
  const own = list.getByRole('listitem').nth(0)
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await own.getByRole('button', { name: 'Edit comment' }).click()
  const changed = own.getByRole('textbox', { name: 'Change comment' })
  await changed.fill(`Paid, thanks @${bob.email}`)
  await own.getByRole('button', { name: 'Save' }).click()
  await expect(own).toContainText('edited')
  await expect(own.getByRole('button', { name: 'Edit comment' })).toBeFocused()
  expect(await mailsTo(api, bob.email)).toHaveLength(1)
  await expectAccessible(admin)

  await own.getByRole('button', { name: 'Delete comment' }).click()
  const dialog = admin.getByRole('alertdialog', { name: 'Delete this comment?' })
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Delete comment' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list).toContainText('yesterday')
  await expect(text).toBeFocused()
})

test('an unsent comment waits on this device, and a refusal loses nothing', async ({
  admin,
  api,
}) => {
  await install(api, 'Annotated')
  await openComments(admin, 'Annotated')
  await newComment(admin).fill('Not sent yet')
  await admin.getByRole('tab', { name: 'Fields' }).click()
  await admin.getByRole('tab', { name: 'Comments' }).click()
  await expect(newComment(admin)).toHaveValue('Not sent yet')
  await newComment(admin).fill('x'.repeat(5001))
  await admin.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(admin.getByRole('alert').filter({ hasText: '5,000' })).toBeVisible()
  await expect(newComment(admin)).toHaveValue(/^x{5001}$/)
  await expectAccessible(admin)
})

test('by the keyboard alone, on a narrow screen too', async ({ admin, api }) => {
  await install(api, 'Glossed')
  await admin.setViewportSize({ width: 390, height: 844 })
  const list = await openComments(admin, 'Glossed')
  await newComment(admin).focus()
  await admin.keyboard.type('First @')
  const people = admin.getByRole('listbox', { name: 'People to mention' })
  // The administrator alone may be there, whom nobody offers.
  if (await people.isVisible()) {
    await admin.keyboard.press('Escape')
    await expect(people).toBeHidden()
  }
  await expect(newComment(admin)).toBeFocused()
  await admin.keyboard.press('Control+Enter')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(newComment(admin)).toBeFocused()
  await admin.keyboard.press('Shift+Tab')
  await expect(list.getByRole('button', { name: 'Delete comment' })).toBeFocused()
  await admin.keyboard.press('Enter')
  await expect(admin.getByRole('alertdialog')).toBeVisible()
  await admin.keyboard.press('Escape')
  await expect(admin.getByRole('alertdialog')).toBeHidden()
  await expect(list.getByRole('button', { name: 'Delete comment' })).toBeFocused()
  const { scrollWidth, clientWidth } = await admin.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { scrollWidth, clientWidth }
  })
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
})

test('those who do not see the record see no comments', async ({ api, browser }) => {
  await install(api, 'Hushed')
  const policy = {
    name: `hushed-${crypto.randomUUID().slice(0, 8)}`,
    principals: ['VIEWER'],
    entities: ['Hushed'],
    actions: ['read'],
    allow: false,
    where: [{ field: 'title', operator: 'eq', value: 'Boot' }],
  }
  const made = await api.post('/api/policies', { data: policy })
  expect(made.status()).toBe(201)
  const viewer = await signedIn(browser, api, ['VIEWER'])
  const comments = '/api/entities/Hushed/1/comments'
  expect((await viewer.page.request.get(comments)).status()).toBe(404)
  expect(await statusOf(viewer.page, 'POST', comments, { text: 'x' })).toBe(404)
  await viewer.page.goto('/entities/Hushed?record=1&tab=comments')
  await expect(viewer.page.getByText('Record not found')).toBeVisible()
  await expect(newComment(viewer.page)).toHaveCount(0)
  await viewer.page.context().close()
  await api.delete(`/api/policies/${(await made.json()).data[0].id}`)
})
