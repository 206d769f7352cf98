import { expect, expectAccessible, test } from './fixtures'
import { startOwnServer } from './own-server'
import { ownPort } from './server-settings'

const PORT = ownPort(2)
const ANN = { email: 'ann@example.com', password: 'correct horse battery staple' }

test('a new installation says what it needs until it has it', async ({ browser }) => {
  const server = await startOwnServer(PORT)
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  const read = async (path: string) => (await page.request.get(server.url + path)).json()
  try {
    await page.goto('/')
    await expect(page).toHaveURL(/\/setup$/)
    await page.getByLabel('Email').fill(ANN.email)
    await page.getByLabel('Password').fill('password1')
    await expect(page.getByText('Very weak')).toBeVisible()
    await page.getByLabel('Password').fill(ANN.password)
    await expect(page.getByText('Very strong')).toBeVisible()
    await page.getByRole('button', { name: 'Show the characters' }).click()
    await expect(page.getByLabel('Password')).toHaveAttribute('type', 'text')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create administrator' }).click()

    await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible()
    await expect(page.getByText('0 of 5 done')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Install the sample' }).click()
    await expect(page).toHaveURL(/\/plugins$/)
    await page.getByRole('button', { name: 'Install', exact: true }).click()
    await expect(page.getByText('Installed', { exact: true }).first()).toBeVisible({
      timeout: 60_000,
    })
    const { data } = await read('/api/plugins')
    expect(data).toHaveLength(1)
    const entity = page.getByRole('link', { name: /^Airport, [\d,]+ records$/ })
    await expect(entity).toBeVisible()

    await page.getByRole('link', { name: 'Dashboard' }).click()
    await expect(page.getByText('1 of 5 done')).toBeVisible()
    await page.getByRole('link', { name: 'Create a key' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Nightly sync')
    await page.getByRole('radio', { name: 'All of your rights' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Create/ })
      .click()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    expect((await read('/api/api-keys')).data).toMatchObject([{ name: 'Nightly sync' }])
    await page.goto('/')
    await expect(page.getByText('2 of 5 done')).toBeVisible()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'First steps' })).toHaveCount(0)
  } finally {
    await context.close()
    await server.stop()
  }
})
