const PORT = process.env.E2E_PORT ?? '4320'

export const BASE_URL = `http://127.0.0.1:${PORT}`

/** The administrator that the server creates at its start, and a key of theirs. */
export const ADMIN = { email: 'admin@example.com', password: 'e2e correct horse battery' }
export const API_KEY = 'eng_for_end_to_end_tests_only_0123456789'

/** Every setting of the server under test; an empty one hides that of a developer's .env. */
export const SERVER_ENV = {
  PORT,
  APP_URL: BASE_URL,
  NEXTAUTH_URL: BASE_URL,
  NEXTAUTH_SECRET: 'a secret for end-to-end tests, 32+ characters',
  DATA_DIR: `.data/e2e-${PORT}`,
  DATABASE_URL: '',
  RESEND_API_KEY: '',
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
