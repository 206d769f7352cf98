import { appUrl } from '@/lib/auth/app-url'
import type { Env } from '@/lib/env'
import { type MailContent, renderMail } from './render-mail'

export type MailSample = { name: string; from: string; subject: string; html: string; text: string }

/** Each mail as it is sent with these settings, about somebody who does not exist. */
export function previewMails(settings: Env): MailSample[] {
  const at = (path: string) => `${appUrl(settings)}${path}`
  return samples(at).map((sample) => ({
    name: sample.name,
    from: settings.MAIL_FROM,
    ...renderMail(sample, settings),
  }))
}

type Sample = MailContent & { name: string }

const email = 'ann@example.com'

const samples = (at: (path: string) => string): Sample[] => [
  {
    name: 'Activation',
    template: 'activation',
    props: { email, link: at('/activate?token=…') },
  },
  {
    name: 'Activation with a password',
    template: 'activation-with-password',
    props: { email, link: at('/activate?token=…'), password: 'gXu7k-…' },
  },
  {
    name: 'Password reset',
    template: 'reset-password',
    props: { email, link: at('/reset-password?token=…') },
  },
  {
    name: 'Registration',
    template: 'registration',
    props: { email, link: at('/register/confirm?token=…') },
  },
  {
    name: 'Registration with an account',
    template: 'account-exists',
    props: { email, link: at('/login'), resetLink: at('/forgot-password') },
  },
  {
    name: 'New device',
    template: 'new-device',
    props: {
      email,
      device: 'Firefox on Windows',
      address: '203.0.113.7',
      time: '2026-01-31 12:00 UTC',
      link: at('/profile'),
    },
  },
  {
    name: 'Mention',
    template: 'mention',
    props: {
      email,
      by: 'bob@example.com',
      entity: 'Order',
      text: `@${email} Has the customer paid?\nThe invoice is of last week.`,
      link: at('/entities/Order?record=7&tab=comments'),
    },
  },
  {
    name: 'Stopped webhook',
    template: 'webhook-stopped',
    props: {
      email,
      name: 'Orders',
      host: 'hooks.example.com',
      reason: 'failing',
      link: at('/webhooks'),
    },
  },
  { name: 'Test', template: 'test', props: { email, link: at('/settings') } },
]
