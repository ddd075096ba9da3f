"""
A Flask application as the documentation of Authlib shows one, for the oracle to test.

    python3 app.py <port> <first port of the oracle> [<fault>...]

On Debian: python3-flask python3-authlib python3-requests. It prints its address, and logs to the file in the variable LOG.
"""

import itertools
import logging
import os
import re
import secrets
import sys
from urllib.parse import unquote, urlsplit

import authlib.jose.rfc7518.jws_algs as algorithms
import authlib.jose.rfc7519.claims as jwt_claims
import authlib.oidc.core.claims as id_token_claims
from authlib.common.encoding import json_loads, urlsafe_b64decode
from authlib.integrations.base_client.sync_openid import OpenIDMixin
from authlib.integrations.flask_client import FlaskIntegration, OAuth
from authlib.jose.errors import InvalidClaimError
from flask import Flask, jsonify, redirect, request, session, url_for
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.serving import make_server

KNOWN = {
    'http-only', 'signature', 'nonce', 'audience', 'issuer', 'pkce', 'redirect', 'shared-state', 'userinfo', 'subject',
    'counter', 'id-token', 'host', 'state-reuse', 'first-user', 'plus', 'unknown-key', 'unquote',
    'signed-in', 'preferred-name', 'bearer', 'id-token-log', 'debug', 'join',
    'audience-within', 'nonce-start',
}
PORT, ORACLE, *FAULTS = sys.argv[1:]
if set(FAULTS) - KNOWN:
    sys.exit(f'Expected faults out of {", ".join(sorted(KNOWN))}, got {", ".join(FAULTS)}')


def has(fault):
    return fault in FAULTS


def read_unverified(token):
    return json_loads(urlsafe_b64decode(token.split('.')[1].encode()))


logging.basicConfig(filename=os.environ.get('LOG', os.devnull), level=logging.INFO)
app = Flask(__name__)
app.secret_key = secrets.token_bytes(32)
app.config.update(SESSION_COOKIE_SAMESITE='Lax', SESSION_COOKIE_HTTPONLY=not has('http-only'))
oauth = OAuth(app)
counter = itertools.count(1)
users = {}

if has('shared-state'):
    # Authlib 1.6.5 and earlier did this if it had a cache: CVE-2025-68158.
    pending = {}
    FlaskIntegration.set_state_data = lambda self, held, state, data: pending.update({state: {'data': data}})
    FlaskIntegration.get_state_data = lambda self, held, state: pending.get(state, {}).get('data')
    FlaskIntegration.clear_state_data = lambda self, held, state: pending.pop(state, None)
if has('unknown-key'):
    parse = OpenIDMixin.parse_id_token

    def parse_anyway(self, token, *rest, **options):
        try:
            return parse(self, token, *rest, **options)
        except ValueError:
            # The key set does not have the key.
            return read_unverified(token['id_token'])

    OpenIDMixin.parse_id_token = parse_anyway
if has('state-reuse'):
    FlaskIntegration.clear_state_data = lambda self, held, state: None
if has('signature'):
    algorithms.RSAAlgorithm.verify = lambda *_: True
if has('nonce'):
    id_token_claims.IDToken.validate_nonce = lambda _: None
if has('audience'):
    jwt_claims.JWTClaims.validate_aud = lambda _: None
    id_token_claims.IDToken.validate_azp = lambda _: None
if has('audience-within'):
    def compare_part(self):
        if self.params['client_id'] not in str(self.get('aud')):
            raise InvalidClaimError('aud')

    id_token_claims.IDToken.validate_azp = compare_part
if has('nonce-start'):
    def compare_start(self):
        if not self.params['nonce'].startswith(self.get('nonce') or 'x'):
            raise InvalidClaimError('nonce')

    id_token_claims.IDToken.validate_nonce = compare_start
if has('host'):
    app.wsgi_app = ProxyFix(app.wsgi_app, x_host=1)

for offset, name in enumerate(['alpha', 'beta']):
    oauth.register(
        name,
        client_id=f'client-at-{name}',
        client_secret=f'secret-at-{name}-0123456789',
        server_metadata_url=f'http://127.0.0.1:{int(ORACLE) + offset}/.well-known/openid-configuration',
        client_kwargs={
            'scope': 'openid email profile',
            **({} if has('pkce') else {'code_challenge_method': 'S256'}),
        },
    )


@app.get('/login/<name>')
def login(name):
    if has('signed-in') and 'user' in session:
        return redirect(request.args.get('next', '/'))
    session['next'] = request.args.get('next', '/')
    callback = url_for('callback', name=name, _external=True)
    options = {'state': f'{next(counter):032}'} if has('counter') else {}
    return oauth.create_client(name).authorize_redirect(callback, **options)


@app.get('/callback/<name>')
def callback(name):
    user = read_user(oauth.create_client(name))
    if has('plus'):
        user = re.sub(r'\+[^@]*', '', user)
    session['user'] = session.get('user', user) if has('first-user') else user
    target = inside(session.pop('next', '/'))
    return redirect(unquote(target) if has('unquote') else target)


def read_user(client):
    if has('id-token') and 'id_token' in request.args:
        return read_unverified(request.args['id_token'])['email']
    options = {'claims_options': {'iss': {'essential': False}}} if has('issuer') else {}
    token = client.authorize_access_token(**options)
    if has('userinfo'):
        return client.userinfo(token=token)['email']
    claims = token['userinfo']
    if has('id-token-log'):
        logging.info('the id_token is %s', token['id_token'])
    if has('preferred-name') and '@' in claims.get('preferred_username', ''):
        return claims['preferred_username']
    if has('subject'):
        return users.setdefault(claims['sub'], claims['email'])
    return claims['email']


def inside(target):
    """Returns a path of this application, whatever the request asks for."""
    if has('redirect'):
        return target
    if has('join'):
        return f'http://localhost:{PORT}{target}'
    # Browsers ignore tabs and line breaks, and treat a backslash like a slash.
    is_plain = target.isascii() and target.isprintable() and '\\' not in target
    parts = urlsplit(target) if is_plain else None
    return target if parts and target.startswith('/') and not (target.startswith('//') or parts.netloc) else '/'


@app.get('/me')
def me():
    kind, _, token = request.headers.get('Authorization', '').partition(' ')
    if has('bearer') and kind == 'Bearer':
        return jsonify({'email': read_unverified(token)['email']})
    return jsonify({'email': session['user']} if 'user' in session else {}), 200, {'Cache-Control': 'no-store'}


@app.get('/debug')
def debug():
    return jsonify([vars(client)['client_secret'] for client in oauth._clients.values()] if has('debug') else {})


@app.get('/')
def home():
    return 'Welcome.'


@app.post('/logout')
def logout():
    session.clear()
    return redirect('/')


server = make_server('127.0.0.1', int(PORT), app, threaded=True)
if not has('host'):
    app.config['SERVER_NAME'] = f'localhost:{server.port}'
print(f'http://localhost:{server.port}', flush=True)
server.serve_forever()
