import type { Template } from '../mail-text'

export type NewDeviceProps = {
  email: string
  /** `Firefox on Windows` */
  device: string
  /** Null where it is not known. */
  address: string | null
  /** In UTC, as text. */
  time: string
  link: string
}

export const newDevice: Template<NewDeviceProps> = {
  en: ({ email, device, address, time, link }) => ({
    subject: 'New sign-in to your account',
    preview: `${device}, from ${address ?? 'an unknown address'}`,
    heading: 'New sign-in to your account',
    paragraphs: [
      `${email} was signed in to on ${time} from a browser that was not used for this account before: ${device}, from ${address ?? 'an unknown address'}.`,
      'If it was you, there is nothing to do. If not, change your password now: this ends all sessions.',
    ],
    action: { label: 'Review your sessions', link },
    footer: 'You get this mail once for each browser, as long as it keeps its cookies.',
  }),
  de: ({ email, device, address, time, link }) => ({
    subject: 'Neue Anmeldung bei Ihrem Konto',
    preview: `${device}, von ${address ?? 'unbekannter Adresse'}`,
    heading: 'Neue Anmeldung bei Ihrem Konto',
    paragraphs: [
      `Am ${time} gab es eine Anmeldung als ${email} mit einem Browser, der für dieses Konto noch nie benutzt wurde: ${device}, von ${address ?? 'unbekannter Adresse'}.`,
      'Wenn Sie es waren, ist nichts zu tun. Wenn nicht, ändern Sie jetzt Ihr Passwort: Damit enden alle Sitzungen.',
    ],
    action: { label: 'Sitzungen ansehen', link },
    footer: 'Sie bekommen diese E-Mail einmal je Browser, solange er seine Cookies behält.',
  }),
}
