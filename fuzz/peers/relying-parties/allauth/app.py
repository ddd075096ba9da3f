"""
A Django application with django-allauth, for the oracle to test.

    python3 app.py <port> <first port of the oracle> [<fault>...]

On Debian: python3-django-allauth. It prints its address, and logs to the file in the variable LOG. Each fault is a bug
that the oracle must find.
"""

import atexit
import logging
import os
import secrets
import shutil
import sys
import tempfile
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.conf import settings

KNOWN = {'http-only', 'get', 'csrf', 'redirect', 'state', 'case', 'address', 'auto-connect', 'no-address', 'contains', 'outage', 'debug'}
PORT, ORACLE, *FAULTS = sys.argv[1:]
if set(FAULTS) - KNOWN:
    sys.exit(f'Expected faults out of {", ".join(sorted(KNOWN))}, got {", ".join(FAULTS)}')


def has(fault):
    return fault in FAULTS


folder = tempfile.mkdtemp()
atexit.register(shutil.rmtree, folder)
settings.configure(
    DEBUG=has('debug'),
    SECRET_KEY=secrets.token_hex(32),
    ALLOWED_HOSTS=['localhost'],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=[
        *(f'django.contrib.{name}' for name in ['auth', 'contenttypes', 'sessions', 'messages', 'sites']),
        *('allauth', 'allauth.account', 'allauth.socialaccount'),
    ],
    MIDDLEWARE=[
        'django.contrib.sessions.middleware.SessionMiddleware',
        *([] if has('csrf') else ['django.middleware.csrf.CsrfViewMiddleware']),
        'django.contrib.auth.middleware.AuthenticationMiddleware',
        'django.contrib.messages.middleware.MessageMiddleware',
    ],
    TEMPLATES=[
        {
            'BACKEND': 'django.template.backends.django.DjangoTemplates',
            'APP_DIRS': True,
            'OPTIONS': {
                'context_processors': [
                    'django.template.context_processors.request',
                    'django.contrib.auth.context_processors.auth',
                    'django.contrib.messages.context_processors.messages',
                ]
            },
        }
    ],
    DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': f'{folder}/app.sqlite'}},
    AUTHENTICATION_BACKENDS=['allauth.account.auth_backends.AuthenticationBackend'],
    DEFAULT_AUTO_FIELD='django.db.models.AutoField',
    SITE_ID=1,
    USE_TZ=True,
    LOGIN_REDIRECT_URL='/',
    SESSION_COOKIE_HTTPONLY=not has('http-only'),
    ACCOUNT_EMAIL_VERIFICATION='none',
    ACCOUNT_LOGOUT_ON_GET=has('get'),
    SOCIALACCOUNT_LOGIN_ON_GET=has('get'),
    SOCIALACCOUNT_PROVIDERS={
        'alpha': {'APP': {'client_id': 'client-at-alpha', 'secret': 'secret-at-alpha-0123456789'}}
    },
    EMAIL_BACKEND='django.core.mail.backends.dummy.EmailBackend',
    LOGGING={
        'version': 1,
        'handlers': {'file': {'class': 'logging.FileHandler', 'filename': os.environ.get('LOG', os.devnull)}},
        'root': {'handlers': ['file'], 'level': 'INFO'},
    },
)
django.setup()

import requests  # noqa: E402
from allauth.account.adapter import DefaultAccountAdapter  # noqa: E402
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter  # noqa: E402
from allauth.socialaccount.models import SocialLogin  # noqa: E402
from allauth.socialaccount.providers import registry  # noqa: E402
from allauth.socialaccount.providers.base import ProviderAccount  # noqa: E402
from allauth.socialaccount.providers.oauth2.provider import OAuth2Provider  # noqa: E402
from allauth.socialaccount.providers.oauth2.views import OAuth2Adapter, OAuth2CallbackView, OAuth2LoginView  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.contrib.auth.signals import user_logged_in  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.dispatch import receiver  # noqa: E402
from django.http import HttpResponse, JsonResponse  # noqa: E402
from django.urls import include, path  # noqa: E402


class AlphaProvider(OAuth2Provider):
    id = 'alpha'
    name = 'Alpha'
    account_class = ProviderAccount

    def get_default_scope(self):
        return ['openid', 'email', 'profile']

    def extract_uid(self, data):
        sub = str(data.get('sub') if has('outage') else data['sub'])
        return sub.lower() if has('case') else sub

    def extract_common_fields(self, data):
        return {'email': data.get('email'), 'name': data.get('name')}


class AlphaAdapter(OAuth2Adapter):
    provider_id = AlphaProvider.id
    access_token_url = f'http://127.0.0.1:{ORACLE}/token'
    authorize_url = f'http://127.0.0.1:{ORACLE}/authorize'
    profile_url = f'http://127.0.0.1:{ORACLE}/userinfo'

    def complete_login(self, request, app, token, **_):
        response = requests.get(self.profile_url, headers={'Authorization': f'Bearer {token.token}'})
        if not has('outage'):
            response.raise_for_status()
        return self.get_provider().sociallogin_from_response(request, response.json())


def connect_by_address(_, request, sociallogin):
    user = User.objects.filter(email__iexact=sociallogin.user.email or ' ').first()
    if user and not sociallogin.is_existing:
        sociallogin.connect(request, user)


def connect_to_session(_, request, sociallogin):
    if request.user.is_authenticated and not sociallogin.is_existing:
        sociallogin.connect(request, request.user)


def connect_by_empty_address(_, request, sociallogin):
    user = User.objects.filter(email=sociallogin.user.email or '').first()
    if user and not sociallogin.is_existing and not sociallogin.user.email:
        sociallogin.connect(request, user)


def connect_by_part(_, request, sociallogin):
    verified = sociallogin.account.extra_data.get('email_verified') is True
    user = User.objects.filter(email__icontains=sociallogin.user.email or ' ').first()
    if verified and user and not sociallogin.is_existing:
        sociallogin.connect(request, user)


if has('no-address'):
    DefaultSocialAccountAdapter.pre_social_login = connect_by_empty_address
if has('contains'):
    DefaultSocialAccountAdapter.pre_social_login = connect_by_part
if has('auto-connect'):
    DefaultSocialAccountAdapter.pre_social_login = connect_to_session
if has('address'):
    DefaultSocialAccountAdapter.pre_social_login = connect_by_address
if has('redirect'):
    DefaultAccountAdapter.is_safe_url = lambda self, url: True
if has('state'):
    stashed = SocialLogin.unstash_state
    SocialLogin.verify_and_unstash_state = lambda request, _: stashed(request) or {'process': 'login'}

@receiver(user_logged_in)
def note(**_):
    logging.info('a user signed in')


def me(request):
    user = request.user
    # With an id, the oracle can tell two users with one address apart.
    shown = {'id': f'user-{user.pk:08}', 'email': user.email} if user.is_authenticated else {}
    response = JsonResponse(shown)
    response['Cache-Control'] = 'no-store'
    return response


urlpatterns = [
    path('accounts/alpha/login/', OAuth2LoginView.adapter_view(AlphaAdapter), name='alpha_login'),
    path('accounts/alpha/login/callback/', OAuth2CallbackView.adapter_view(AlphaAdapter), name='alpha_callback'),
    path('accounts/', include('allauth.urls')),
    path('me', me),
    path('', lambda request: HttpResponse('Welcome.')),
]
# allauth expects that a registered provider is a package with its own routes.
registry.register(AlphaProvider)


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


call_command('migrate', verbosity=0)
server = make_server('127.0.0.1', int(PORT), get_wsgi_application(), Server, Quiet)
print(f'http://localhost:{server.server_port}', flush=True)
server.serve_forever()
