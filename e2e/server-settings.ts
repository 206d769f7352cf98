const FIRST_PORT = Number(process.env.E2E_PORT ?? '4320')

/** Each worker has a server and data of its own; the ports up to the next worker's are for its specs' servers. */
const portOf = (worker: number) => FIRST_PORT + worker * 20

/** Set by Playwright in each worker, before it loads this module. */
const WORKER = Number(process.env.TEST_PARALLEL_INDEX ?? '0')

export const BASE_URL = urlOf(WORKER)

export function urlOf(worker: number): string {
  return `http://127.0.0.1:${portOf(worker)}`
}

/** A port for a spec's own server; each such spec has its `number`, from 1. */
export const ownPort = (number: number) => portOf(WORKER) + number

/** Where the journey of webhooks receives, on the machine of the server. */
export const receiverPort = (worker = WORKER) => portOf(worker) + 15

/** Where the journey of other servers starts one. */
export const otherServerPort = (worker = WORKER) => portOf(worker) + 14

/** The administrator that the server creates at its start, and a key of theirs. */
export const ADMIN = { email: 'admin@example.com', password: 'e2e correct horse battery' }
export const API_KEY = 'eng_for_end_to_end_tests_only_0123456789'

/** The settings of the server of this worker. */
export const SERVER_ENV = serverEnv(WORKER)

/** Every setting of the server of a worker; an empty one hides that of a developer's .env. */
export function serverEnv(worker: number) {
  return {
    PORT: String(portOf(worker)),
    APP_URL: urlOf(worker),
    NEXTAUTH_URL: urlOf(worker),
    NEXTAUTH_SECRET: 'a secret for end-to-end tests, 32+ characters',
    DATA_DIR: `.data/e2e-${portOf(worker)}`,
    /** A PostgreSQL server, where each server gets a database of its own; without it the embedded one. */
    E2E_DATABASE_URL: process.env.E2E_DATABASE_URL ?? '',
    DATABASE_URL: '',
    OUTGOING_ALLOWED_HOSTS: `127.0.0.1:${receiverPort(worker)},127.0.0.1:${otherServerPort(worker)}`,
    RESEND_API_KEY: '',
    SMTP_URL: '',
    CLOUDINARY_URL: '',
    LOG_LEVEL: 'warn',
    // Every search is listed as slow.
    SLOW_SEARCH_MS: '0',
    // Nothing is refused for overload: the embedded database blocks a slow machine for longer than a busy server.
    SHED_DELAY_MS: '60000',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    BOOTSTRAP_API_KEY: API_KEY,
  }
}
