import { describe, expect, test } from 'vitest'
import { renderMail } from './render-mail'

const link = 'https://engine.example.com/activate?token=abc-DEF_123'
const email = 'ann@example.com'

describe.each([
  { template: 'activation', props: { email, link } },
  { template: 'activation-with-password', props: { email, link, password: 'aB3dE-fG5hJ' } },
  { template: 'reset-password', props: { email, link } },
] as const)('the mail $template', (content) => {
  test('holds its link in both forms, and suits dark clients', async () => {
    const { subject, html, text } = await renderMail(content)
    expect(subject).not.toBe('')
    expect(html).toContain(`href="${link}"`)
    expect(html).toContain('prefers-color-scheme: dark')
    expect(text).toContain(link)
    expect(text).toContain(email)
    expect(text).not.toContain('<')
  })
})

test('a password stands in the mail as it must be typed', async () => {
  const props = { email, link, password: 'aB3dE-fG5hJ' }
  const { html, text } = await renderMail({ template: 'activation-with-password', props })
  expect(html).toContain('>aB3dE-fG5hJ<')
  expect(text).toContain('aB3dE-fG5hJ')
})

test('what people type cannot become markup', async () => {
  const props = { email: '"<b>x</b>"@example.com', link }
  const { html } = await renderMail({ template: 'activation', props })
  expect(html).not.toContain('<b>x</b>')
})
