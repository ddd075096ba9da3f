import { defineConfig } from '@playwright/test'

export default defineConfig({
  // Set this if Chromium is already installed. Otherwise run `npx playwright install chromium`.
  use: { launchOptions: { executablePath: process.env['CHROMIUM'] } },
})
