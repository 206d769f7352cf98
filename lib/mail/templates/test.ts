import type { Template } from '../mail-text'

export type TestProps = { email: string; link: string }

/** What administrators send to themselves. */
export const test: Template<TestProps> = {
  en: ({ email, link }) => ({
    subject: 'Test mail',
    preview: 'Mails of this server arrive.',
    heading: 'Mails arrive',
    paragraphs: [`${email} asked for this mail, to see whether the server can send mails.`],
    action: { label: 'Open the settings', link },
    footer: 'There is nothing else to do.',
  }),
  de: ({ email, link }) => ({
    subject: 'Test-E-Mail',
    preview: 'E-Mails dieses Servers kommen an.',
    heading: 'E-Mails kommen an',
    paragraphs: [
      `${email} hat diese E-Mail angefordert, um zu sehen, ob der Server E-Mails senden kann.`,
    ],
    action: { label: 'Einstellungen öffnen', link },
    footer: 'Sonst ist nichts zu tun.',
  }),
}
