import type { MailText } from '../mail-html'

export type NewDeviceProps = {
  email: string
  /** `Firefox on Windows` */
  device: string
  address: string
  /** In UTC, as text. */
  time: string
  link: string
}

export const newDevice = ({ email, device, address, time, link }: NewDeviceProps): MailText => ({
  subject: 'New sign-in to your account',
  preview: `${device}, from ${address}`,
  heading: 'New sign-in to your account',
  paragraphs: [
    `${email} was signed in to on ${time} from a browser that was not used for this account before: ${device}, from ${address}.`,
    'If it was you, there is nothing to do. If not, change your password now: this ends all sessions.',
  ],
  action: { label: 'Review your sessions', link },
  footer: 'You get this mail once for each browser, as long as it keeps its cookies.',
})
