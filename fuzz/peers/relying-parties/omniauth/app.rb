# A Sinatra application with OmniAuth and omniauth_openid_connect, for the oracle to test.
#
#     ruby app.rb <port> <first port of the oracle> [<fault>...]
#
# On Debian: ruby-omniauth-openid-connect ruby-sinatra puma. It prints its address, and logs to the file in the variable
# LOG. Each fault is a bug that the oracle must find.
ENV['RACK_ENV'] = 'production'
require 'json'
require 'logger'
require 'omniauth'
require 'omniauth_openid_connect'
require 'puma'
require 'rack/protection'
require 'securerandom'
require 'sinatra/base'

KNOWN = %w[http-only get csrf fixation redirect state nonce same-site token-in-url params failure-origin signed-out try-again any-frame token-header developer line-anchors].freeze
PORT, ORACLE, *FAULTS = ARGV
abort "Expected faults out of #{KNOWN.join(', ')}, got #{FAULTS.join(', ')}" unless (FAULTS - KNOWN).empty?

def fault?(name) = FAULTS.include?(name)

SERVER = Puma::Server.new(->(env) { App.call(env) }, Puma::Events.strings)
LISTENER = SERVER.add_tcp_listener('127.0.0.1', PORT.to_i)
ORIGIN = "http://localhost:#{LISTENER.addr[1]}".freeze
LOGGER = Logger.new(ENV.fetch('LOG', File::NULL))
OmniAuth.config.logger = LOGGER
OmniAuth.config.silence_get_warning = true
OmniAuth.config.allowed_request_methods = fault?('get') ? %i[get post] : [:post]
OmniAuth.config.request_validation_phase = nil if fault?('csrf') || fault?('get')

OmniAuth::Strategies::OpenIDConnect.class_eval do
  define_method(:stored_state) { params['state'] } if fault?('state')
  if fault?('nonce')
    define_method(:verify_id_token!) do |text|
      token = text && decode_id_token(text)
      token&.verify!(issuer: options.issuer, client_id: client_options.identifier, nonce: token.nonce)
    end
  end
end

class App < Sinatra::Base
  set :session_secret, SecureRandom.hex(32)
  set :sessions, httponly: !fault?('http-only'), same_site: fault?('same-site') ? nil : :lax
  set :protection, except: [:remote_token]

  use OmniAuth::Builder do
    provider :developer, fields: %i[name email], uid_field: :email, callback_path: '/auth/developer/callback' if fault?('developer')
    provider :openid_connect,
             name: :alpha, issuer: "http://127.0.0.1:#{ORACLE}", scope: %i[openid email profile], response_type: :code,
             client_signing_alg: :RS256,
             client_options: {
               scheme: 'http', host: '127.0.0.1', port: ORACLE.to_i,
               identifier: 'client-at-alpha', secret: 'secret-at-alpha-0123456789',
               authorization_endpoint: '/authorize', token_endpoint: '/token', userinfo_endpoint: '/userinfo',
               jwks_uri: "http://127.0.0.1:#{ORACLE}/jwks", redirect_uri: "#{ORIGIN}/auth/alpha/callback"
             }
  end

  after do
    headers 'X-Frame-Options' => 'ALLOWALL' if fault?('any-frame')
  end

  get '/' do
    token = Rack::Protection::AuthenticityToken.token(session)
    %(<form method="post" action="/auth/alpha"><input type="hidden" name="authenticity_token" value="#{token}"></form>)
  end

  get '/me' do
    content_type :json
    headers 'Cache-Control' => 'no-store'
    (session[:email] ? { email: session[:email] } : {}).to_json
  end

  get '/auth/alpha/callback' do
    auth = env['omniauth.auth']
    target = env['omniauth.origin'].to_s
    inside = fault?('line-anchors') ? %r{^/(?![/\\])[[:graph:]]*$} : %r{\A/(?![/\\])[[:graph:]]*\z}
    target = '/' unless fault?('redirect') || target.match?(inside)
    session.options[:renew] = true
    profile = fault?('params') ? auth['info'].merge(env['omniauth.params']) : auth['info']
    session[:email] = profile['email']
    headers 'X-Access-Token' => auth['credentials']['token'] if fault?('token-header')
    redirect fault?('token-in-url') ? "#{target}?access_token=#{auth['credentials']['token']}" : target
  end

  %w[get post].each do |verb|
    send(verb, '/auth/developer/callback') do
      auth = env['omniauth.auth'] or halt 404
      session[:email] = auth['info']['email']
      redirect '/'
    end
  end

  get '/auth/failure' do
    redirect params['origin'] || '/' if fault?('failure-origin')
    status 400
    return %(<a href="#{Rack::Utils.escape_html(params['origin'])}">Try again</a>) if fault?('try-again')

    'The sign-in failed.'
  end

  post '/logout' do
    redirect params['origin'] || '/' if fault?('signed-out') && !session[:email]
    session.clear
    redirect '/'
  end
end

puts ORIGIN
$stdout.flush
SERVER.run.join
