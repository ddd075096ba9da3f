// The package declares `locals.auth`, and the session of pages.
import '@auth/sveltekit'
