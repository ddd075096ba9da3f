"""
A Flask application that signs in with Authlib, with routes of its own, for the oracle to test.

    python3 app.py <port> <first port of the oracle> [<fault>...]

It needs Python 3 with Flask, Authlib and requests (on Debian: python3-flask python3-authlib python3-requests). It prints its address, and logs to the file in the variable LOG. Each fault is a bug that the oracle must find.
"""

import hashlib
import logging
import os
import re
import secrets
import smtplib
import sys
import time
import traceback
from email.message import EmailMessage
from html import escape
from urllib.parse import urlsplit

from authlib.integrations.base_client import OAuthError
from authlib.integrations.flask_client import OAuth
from authlib.jose.errors import JoseError
from authlib.common.encoding import to_unicode
from authlib.oidc.core.util import create_half_hash
from flask import Flask, abort, make_response, redirect, request, url_for
from requests import RequestException
from werkzeug.serving import make_server

if len(sys.argv) < 3 or not all(word.isdigit() for word in sys.argv[1:3]):
    sys.exit(__doc__.strip())
PORT, ORACLE = int(sys.argv[1]), int(sys.argv[2])
FAULTS = set(sys.argv[3:])
KNOWN = {'state', 'nonce', 'pkce', 'fixation', 'redirect', 'csrf', 'expiry', 'sign-out', 'log', 'link', 'one-proof', 'log-headers', 'derived-sid', 'recipients', 'named-user', 'traceback', 'callback-next', 'timed-sid', 'raw-name', 'host', 'letter-fixation', 'letter-log', 'letter-tag', 'letter-cookie', 'content-type', 'letter-csrf', 'sid-prefix'}
if FAULTS - KNOWN:
    sys.exit(f'Expected faults out of {", ".join(sorted(KNOWN))}, got {", ".join(sorted(FAULTS - KNOWN))}')

logging.basicConfig(filename=os.environ.get('LOG', os.devnull), level=logging.INFO)
app = Flask(__name__)
app.secret_key = secrets.token_bytes(32)
oauth = OAuth(app)
sessions, links = {}, {}
PROOF = secrets.token_urlsafe(16)


def register(name, offset, **options):
    root = f'http://127.0.0.1:{ORACLE + offset}'
    oauth.register(
        name,
        client_id=f'client-at-{name}',
        client_secret=f'secret-at-{name}-0123456789',
        client_kwargs={'code_challenge_method': 'S256', **options.pop('client', {})},
        **{key: value.format(root=root) for key, value in options.items()},
    )


for at, name in enumerate(['alpha', 'beta']):
    register(
        name,
        at,
        server_metadata_url='{root}/.well-known/openid-configuration',
        client={'scope': 'openid profile email'},
    )
register(
    'plain',
    2,
    authorize_url='{root}/authorize',
    access_token_url='{root}/token',
    userinfo_endpoint='{root}/userinfo',
)


def read_session():
    """Returns the id of the browser's session, and the session; a browser without one gets a new one."""
    sid = request.cookies.get('sid')
    if 'sid-prefix' in FAULTS and sid:
        sid = next((each for each in sessions if each.startswith(sid)), sid)
    if sid in sessions:
        return sid, sessions[sid]
    sid = secrets.token_urlsafe(32)
    sessions[sid] = {'csrf': new_proof()}
    return sid, sessions[sid]


def new_proof():
    return PROOF if 'one-proof' in FAULTS else secrets.token_urlsafe(16)


def respond(body, sid):
    response = make_response(body)
    response.set_cookie('sid', sid, httponly=True, secure=True, samesite='Lax')
    response.headers['Cache-Control'] = 'no-store'
    response.headers['X-Frame-Options'] = 'DENY'
    return response


def check_form():
    _, session = read_session()
    if 'content-type' in FAULTS and request.mimetype != 'application/x-www-form-urlencoded':
        return
    if 'csrf' not in FAULTS and not secrets.compare_digest(request.form.get('proof', ''), session['csrf']):
        abort(403)


def begin_session(user, target):
    """Signs in a user with a new session id, so that nobody who knows the old one is signed in."""
    sid, session = read_session()
    is_kept = 'fixation' in FAULTS or ('letter-fixation' in FAULTS and request.path.startswith('/letter/'))
    if not is_kept:
        sessions.pop(sid)
        sid, session = secrets.token_urlsafe(32), {'csrf': new_proof()}
    if 'derived-sid' in FAULTS:
        sid = hashlib.sha256(user.encode()).hexdigest()
    if 'timed-sid' in FAULTS:
        sid = hashlib.md5(str(int(time.time() * 1000)).encode()).hexdigest()
    sessions[sid] = {**session, 'user': user}
    logging.info('a user signed in')
    return respond(redirect(inside(target)), sid)


def inside(target):
    """Returns a path of this application, whatever the request asks for."""
    if 'redirect' in FAULTS:
        return target
    # Browsers ignore tabs and line breaks, and treat a backslash like a slash.
    is_plain = target.isascii() and target.isprintable() and '\\' not in target
    parts = urlsplit(target) if is_plain else None
    return target if parts and target.startswith('/') and not (target.startswith('//') or parts.netloc) else '/'


@app.get('/')
def home():
    sid, session = read_session()
    proof = f'<input type="hidden" name="proof" value="{session["csrf"]}">'
    if 'named-user' in FAULTS and 'user' in request.args:
        session = {**session, 'user': request.args['user']}
    if 'user' in session:
        page = f'<p>Hello, <b>{session["user"] if "raw-name" in FAULTS else escape(session["user"])}</b>!</p><form method="post" action="/leave">{proof}<button>Leave</button></form>'
    else:
        page = f'<form method="post" action="/enter">{proof}<button name="with" value="alpha">Enter</button></form>'
    return respond(page, sid)


@app.post('/enter')
def enter():
    check_form()
    sid, session = read_session()
    session['next'] = request.form.get('next', '/')
    client = oauth.create_client(request.form.get('with', ''))
    if not client:
        abort(404)
    options = {'code_verifier': 'a' * 43} if 'pkce' in FAULTS else {}
    return respond(client.authorize_redirect(url_for('back', name=client.name, _external=True), **options), sid)


@app.get('/back/<name>')
def back(name):
    client = oauth.create_client(name)
    if not client:
        abort(404)
    # Parameters that occur twice, and responses of another issuer, belong to no sign-in that began here.
    if any(len(values) > 1 for _, values in request.args.lists()):
        abort(400)
    issuer = f'http://127.0.0.1:{ORACLE + ["alpha", "beta", "plain"].index(name)}'
    if name != 'plain' and request.args.get('iss') != issuer:
        abort(400)
    try:
        token = fetch_token(client)
        user = read_user(client, token)
    except (OAuthError, JoseError, RequestException, KeyError, ValueError, TypeError):
        # The message of the error may contain what the provider sent.
        logging.warning('a sign-in failed%s', f': {dict(request.headers)}' if 'log-headers' in FAULTS else '')
        if 'traceback' in FAULTS:
            return escape(traceback.format_exc()), 400
        return 'The sign-in failed.', 400
    _, session = read_session()
    target = session.pop('next', '/')
    response = begin_session(user, target)
    if 'callback-next' in FAULTS and 'next' in request.args:
        response.headers['Location'] = request.args['next']
    return response


def fetch_token(client):
    from flask import session

    name = f'_state_{client.name}_'
    state = request.args.get('state', '')
    pending = session.get(name + state)
    if 'state' in FAULTS and not pending:
        # Uses whatever sign-in the browser began, or none at all.
        pending = next((value for key, value in session.items() if key.startswith(name)), {'data': {}})
        session[name + state] = pending
        pending['data'].setdefault('redirect_uri', url_for('back', name=client.name, _external=True))
    elif not pending:
        raise ValueError('this browser began no such sign-in')
    data = {**pending['data']}
    session.pop(name + state)
    if request.args.get('error'):
        raise ValueError('the provider refused the sign-in')
    session.modified = True
    token = client.fetch_access_token(
        code=request.args['code'],
        redirect_uri=data['redirect_uri'],
        **({'code_verifier': data['code_verifier']} if 'code_verifier' in data else {}),
    )
    if 'log' in FAULTS:
        logging.info('the provider sent %s', token)
    is_bearer = str(token.get('token_type', '')).lower() == 'bearer'
    if 'error' in token or not is_bearer or not token.get('access_token'):
        raise ValueError('the provider sent no token')
    return {**token, 'nonce': data.get('nonce'), 'code': request.args['code']}


def read_user(client, token):
    if client.name == 'plain':
        client.token = token
        return client.userinfo()['email']
    nonce = token.get('nonce')
    if not nonce:
        raise ValueError('the sign-in had no nonce')
    options = {
        'iss': {'essential': True, 'value': client.load_server_metadata()['issuer']},
        'sub': {'essential': True, 'validate': lambda _, sub: isinstance(sub, str) and 0 < len(sub) < 256 and sub.isascii()},
        'aud': {'essential': True, 'value': client.client_id},
        'nonce': {'essential': True},
        'exp': {'essential': True},
        'iat': {'essential': True},
    }
    if 'nonce' in FAULTS:
        options.pop('nonce')
        nonce = None
    leeway = 10**10 if 'expiry' in FAULTS else 60
    claims = client.parse_id_token(token, nonce, claims_options=options, leeway=leeway)
    aud, azp = claims['aud'], claims.get('azp', client.client_id)
    if aud not in (client.client_id, [client.client_id]) or azp != client.client_id:
        raise ValueError('the token is for another application')
    if 'expiry' not in FAULTS and claims['iat'] > time.time() + 60:
        raise ValueError('the token is from the future')
    if 'c_hash' in claims and claims['c_hash'] != to_unicode(create_half_hash(token['code'], 'RS256')):
        raise ValueError('the token belongs to another code')
    return claims['email']


@app.post('/leave')
def leave():
    check_form()
    sid, _ = read_session()
    if 'sign-out' not in FAULTS:
        sessions.pop(sid)
    response = redirect('/')
    response.delete_cookie('sid')
    return response


@app.post('/letter')
def letter():
    check_form()
    address, key = request.form.get('to', ''), secrets.token_urlsafe(32)
    if not re.fullmatch(r'[^\s,;<>"@]+@[^\s,;<>"@]+', address):
        abort(400)
    links[key] = re.sub(r'\+[^@]*', '', address) if 'letter-tag' in FAULTS else address
    mail = EmailMessage()
    to = ', '.join(request.form.getlist('to')) if 'recipients' in FAULTS else address
    mail['From'], mail['To'], mail['Subject'] = 'app@localhost', to, 'Your link'
    link = url_for('open_letter', key=key, _external=True)
    if 'letter-log' in FAULTS:
        logging.info('sent %s', link)
    mail.set_content(f'Enter here: {link}')
    with smtplib.SMTP('127.0.0.1', ORACLE + 3) as server:
        server.send_message(mail)
    return 'We sent you a link.'


@app.get('/letter/<key>')
def open_letter(key):
    # A link is opened by a form, because mail programs follow links on their own.
    sid, session = read_session()
    return respond(
        f'<form method="post" action="/letter/{escape(key)}"><input type="hidden" name="proof" value="{session["csrf"]}">'
        f'<input type="hidden" name="token" value="{escape(key)}"><button>Enter</button></form>',
        sid,
    )


@app.post('/letter/<key>')
def use_letter(key):
    if 'letter-csrf' not in FAULTS:
        check_form()
    address = links.get(key) if 'link' in FAULTS else links.pop(key, None)
    if address is None:
        abort(403)
    response = begin_session(address, '/')
    if 'letter-cookie' in FAULTS:
        response.headers['Set-Cookie'] = response.headers['Set-Cookie'].replace('; HttpOnly', '')
    return response


server = make_server('127.0.0.1', PORT, app, threaded=True)
if 'host' not in FAULTS:
    app.config['SERVER_NAME'] = f'localhost:{server.port}'
print(f'http://localhost:{server.port}', flush=True)
server.serve_forever()
